import pg from 'pg'
import { states, types } from '#contract/constants.ts'
import { searchIndexOf } from '#server/features/listings/indexing.ts'
import { indexVersion } from '#server/features/matching/index-terms.ts'
import { reindexSomeWants } from '#server/features/wants/indexing.ts'
import type { Db } from '#server/tables.ts'
import { otherCrops } from '../matching/database.ts'

export interface People {
  readonly members: number
  /** With `alike` tastes, the most wanted crops are those that most members grow. */
  readonly tastes: 'alike' | 'different'
}

const listingsOfEach = 2
export const wantsOfEach = 2
const radii = [5, 10, 25, null]
/** Postal codes within ten miles. */
const postalCodes = [97202, 97203, 97206, 97209, 97211, 97213, 97214, 97217, 97219, 97227]
/** Half of the listings are for exchange. */
const offers = [types.exchange, types.exchange, types.exchange, types.giveaway, types.giveaway, types.sell]

/** Inserts members, listings and wants. Crops have the popularity of Zipf's law. */
export async function insertPeople(
  db: Db,
  url: string,
  { members, tastes }: People,
  random: () => number,
): Promise<void> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]
  const grown = shuffled(otherCrops(), random)
  const wanted = tastes === 'alike' ? grown : shuffled(grown, random)
  const drawCrop = zipf(grown.length, random)
  const people = Array.from({ length: members }, (_, index) => ({
    n: index + 1,
    radius: pick(radii),
    postal_code_id: pick(postalCodes),
  }))
  const listings = people.flatMap(({ n, postal_code_id }) =>
    Array.from({ length: listingsOfEach }, () => {
      const title = grown[drawCrop()] ?? ''
      const { lexemes } = searchIndexOf({ title, description: '' })
      return { n, postal_code_id, title, type_id: pick(offers), lexemes }
    }),
  )
  const wants = people.flatMap(({ n }) =>
    Array.from({ length: wantsOfEach }, () => ({ n, title: wanted[drawCrop()] ?? '' })),
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name, postal_code_id, match_radius, mail_matches)
     select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener', postal_code_id, radius, 'never'
     from json_to_recordset($1) x (n int, postal_code_id int, radius smallint) order by n`,
    [JSON.stringify(people)],
  )
  await client.query(
    `insert into listings (owner_id, postal_code_id, title, description, price, is_active, is_public, type_id, state_id, index_version, search)
     select n, postal_code_id, title, '', case type_id when ${types.sell} then 3 else 0 end, true, true, type_id,
       ${states.available}, ${indexVersion}, array_to_tsvector(lexemes)
     from json_to_recordset($1) x (n int, postal_code_id int, title text, type_id smallint, lexemes text[])`,
    [JSON.stringify(listings)],
  )
  await client.query(
    'insert into wants (user_id, title) select n, title from json_to_recordset($1) x (n int, title text)',
    [JSON.stringify(wants)],
  )
  for (let indexed = 1; indexed > 0; )
    indexed = (await db.transaction().execute((tx) => reindexSomeWants(tx, 1000))).length
  await client.query('vacuum analyze')
  await client.end()
}

/** Returns the same numbers between 0 and 1 for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ value }) => value)
}

/** Returns a function that draws indexes by Zipf's law: the n-th is n times rarer than the first. */
function zipf(count: number, random: () => number): () => number {
  const sums: number[] = []
  for (let rank = 1; rank <= count; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank)
  const total = sums.at(-1) ?? 0
  return () => {
    const drawn = random() * total
    return sums.findIndex((sum) => sum >= drawn)
  }
}
