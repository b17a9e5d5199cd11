import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createSessions } from '#server/features/auth/sessions.ts'
import { searchIndexOf } from '#server/features/listings/indexing.ts'
import { refreshSearchTerms } from '#server/features/listings/search-queries.ts'
import { allPostalCodes } from '#server/features/locations/postal-codes.ts'
import { drawingOf } from '#server/features/matching/drawing.ts'
import { indexVersion } from '#server/features/matching/index-terms.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { localBus } from '#server/platform/events/event-bus.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Tables } from '#server/tables.ts'

/** A benchmark database and its number of listings. */
export interface Market {
  readonly listings: number
  readonly url: string
}

export const members = 50_000

const indexRules = join(import.meta.dirname, '..', 'server', 'features', 'matching', 'index-terms.ts')
const migrations = join(import.meta.dirname, '..', 'server', 'migrations')

/** A random image name like the server's: 128 bits in base64url. */
const imageName = (of: string) => `translate(encode(decode(md5(${of}), 'hex'), 'base64'), '+/=', '-_')`
const placeholder = `'data:image/webp;base64,' || rpad(encode(decode(md5(n::text) || md5('p' || n), 'hex'), 'base64'), 112, 'A')`
const hasImage = 'hashint8(n) & 1023 < 614'
const hasPicture = 'hashint8(n) & 1023 < 400'

/** The postal code at the center of the town. */
export const town = 97214
/** The number of postal codes of the town. One of ten members lives there, the others anywhere. */
const townCodes = 40

/** The number of members with many friends, and the number of their friends. */
export const sociable = { members: 100, friends: 200 }

/** Returns the id of a member with many friends. These ids are evenly distributed, like those of members with sessions. */
export function sociableMember(index: number): number {
  return 1 + Math.floor((index * members) / sociable.members)
}

/** The number of members with more than two pages of listings, and the number of their listings. One of ten lives in the town. */
export const prolific = { members: 292, listings: 60 }
/** The distance between the ids of members with many listings. */
const prolificStep = 171

/** Returns the id of a member with many listings. */
export function prolificMember(index: number): number {
  return (index + 1) * prolificStep
}

const qualities = ['Fresh', 'Organic', 'Heirloom', 'Homegrown', 'Extra', 'Young']
const measures = ['', ', about two pounds', ' for your garden', ', a dozen']
/** Ordered by frequency. */
export const crops = [
  ...[
    'cherry tomatoes',
    'zucchini',
    'lemon balm',
    'rhubarb crowns',
    'runner bean seeds',
    'garlic',
    'Swiss chard',
  ],
  ...[
    'strawberry plants',
    'kale',
    'basil',
    'sweet peppers',
    'cucumbers',
    'raspberry canes',
    'pumpkins',
    'radishes',
  ],
  ...[
    'sweet corn',
    'potatoes',
    'leeks',
    'spinach',
    'beetroot',
    'sunflower seeds',
    'figs',
    'quinces',
    'medlars',
  ],
  ...[
    'tomatillos',
    'okra',
    'fennel',
    'celeriac',
    'kohlrabi',
    'chicory',
    'sorrel',
    'lovage',
    'hyssop',
    'borage seeds',
  ],
]
/** The approximate number of listings with the word, in a market of any size. */
export const rareCrops = { loofah: 100, cardoon: 300, salsify: 900 }
const sqlArray = (words: readonly string[]) => `(array[${words.map((word) => `'${word}'`).join(', ')}])`

/** The statements that insert members, their images and friendships. $1 is the number of members, $2 the number of listings. */
const insertsOfMembers = [
  `insert into users (id, username, email, password_hash, first_name, last_name, city, state, zip_code, postal_code_id, picture_name)
   overriding system value
   select n, 'gardener_' || n, 'gardener_' || n || '@example.com', '-', 'Robin', 'Gardener', 'Portland', 'OR',
     lpad(code::text, 5, '0'), code, case when ${hasPicture} then ${imageName(`'member ' || n`)} end
   from generate_series(1, $1::bigint) n
   join postal_codes on rank = case when n % 10 = 0 then n / 10 % ${townCodes}
     else (hashint8(n) & 2147483647) % (select count(*) from postal_codes) end
   where $2::bigint > 0`,
  `insert into images (name, owner_id, purpose, width, height, placeholder, widths, bytes)
   select ${imageName(`'member ' || n`)}, n, 'avatar', 460, 460, ${placeholder}, '{96,460}', 20000
   from generate_series(1, $1::bigint) n where ${hasPicture} and $2::bigint > 0`,
  `insert into friendships (low_id, high_id, requester_id, status)
   select n, n + distance, n, 'accepted'
   from generate_series(1, $1::bigint) n, (values (1), (17), (301)) as near (distance)
   where n + distance <= $1 and $2::bigint > 0`,
  `insert into friendships (low_id, high_id, requester_id, status)
   select least(one, other), greatest(one, other), one, 'accepted' from (
     select 1 + n * $1::bigint / ${sociable.members} as one, 1 + (hashint8(n * 1000 + k) & 2147483647) % $1 as other
     from generate_series(0, ${sociable.members - 1}) n, generate_series(1, ${sociable.friends - 6}) k
   ) pairs where one <> other and $2::bigint > 0 on conflict do nothing`,
]

/** Selects random listings. Of 20 consecutive ones, 17 are public. $1 is the number of members, $2 the number of listings. */
const drawnListings = `
  select n as id, owner_id, quality || ' ' || crop || measure as title,
    left(repeat('Grown without sprays in our back garden, picked the morning you come by. Bring a bag or a box. ', 7),
      (random() * random() * 640)::int) as description,
    case when type_id = 1 then 0.5 + round((random() * 40)::numeric, 2) else 0 end as price,
    n % 20 <> 0 as is_active, n % 20 between 1 and 17 as is_public, type_id::smallint, 1::smallint as state_id,
    (1 + (hashint8(n + 7) & 2147483647) % 3)::smallint as category_id,
    now() - ($2::bigint - n) * interval '30 seconds' as created_at
  from (
    select n,
      case when random() < least(0.2, ${prolific.members * prolific.listings}.0 / $2::bigint)
        then ${prolificStep} * (1 + floor(random() * ${prolific.members})) else 1 + floor(random() * $1::bigint) end::bigint as owner_id,
      1 + floor(random() * 3)::int as type_id,
      ${sqlArray(qualities)}[1 + floor(random() * ${qualities.length})::int] as quality,
      case ${Object.entries(rareCrops)
        .map(([crop, listings]) => `when random() < ${listings}.0 / $2::bigint then '${crop}'`)
        .join(' ')}
        else ${sqlArray(crops)}[1 + floor(random() * random() * ${crops.length})::int] end as crop,
      ${sqlArray(measures)}[1 + floor(random() * ${measures.length})::int] as measure
    from generate_series(1, $2::bigint) n) as numbers`

/** Inserts the generated listings with the search index of the server for each title and description. */
async function insertListings(client: pg.Client): Promise<void> {
  for (const column of ['title', 'description'] as const) {
    await client.query(
      `create temp table index_of_${column} (${column} text primary key, terms text[], search tsvector, drawing text, crops text[])`,
    )
    const { rows: texts } = await client.query<{ text: string }>(
      `select distinct ${column} as text from drawn`,
    )
    for (const { text } of texts) {
      const { terms, lexemes, crops } = searchIndexOf({ title: '', description: '', [column]: text })
      await client.query(`insert into index_of_${column} values ($1, $2, array_to_tsvector($3), $4, $5)`, [
        text,
        terms,
        lexemes,
        drawingOf({ title: text, category_id: null }),
        crops,
      ])
    }
  }
  await client.query(`
    insert into listings (id, owner_id, title, description, price, is_active, is_public, type_id, state_id, category_id,
      created_at, updated_at, postal_code_id, search, drawing, crops, index_version)
    overriding system value
    select d.*, d.created_at, u.postal_code_id, t.search || ts_delete(x.search, t.terms), t.drawing, t.crops, ${indexVersion}
    from drawn d join users u on u.id = d.owner_id join index_of_title t using (title) join index_of_description x using (description)
    order by d.id`)
  await client.query(`
    insert into images (name, owner_id, purpose, width, height, placeholder, widths, bytes, listing_id, position)
    select ${imageName(`'listing ' || n`)}, owner_id, 'photo', 1200, 900, ${placeholder}, '{160,320,640,1200}', 200000, n, 0
    from (select id as n, owner_id from listings order by id) numbered where ${hasImage}`)
}

/**
 * Finds or creates the markets of these sizes. They are kept for later runs: the name of a database is a hash of all inputs and is set
 * when it is complete.
 */
export async function openMarkets<const Sizes extends readonly number[]>(
  clusterUrl: string,
  sizes: Sizes,
  print: (line: string) => void,
): Promise<{ [Index in keyof Sizes]: Market }> {
  const key = await contentKey()
  const cluster = new pg.Client({ connectionString: clusterUrl })
  await cluster.connect()
  try {
    const { rows: found } = await cluster.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'bench\\_%'`,
    )
    const known = new Set(found.map(({ name }) => name))
    for (const name of known)
      if (!name.endsWith(key)) await cluster.query(`drop database ${name} with (force)`)

    const markets: Market[] = []
    for (const listings of sizes) {
      const name = `bench_${listings}_${key}`
      if (!known.has(name)) {
        print(`Loading ${listings.toLocaleString('en')} listings.`)
        await cluster.query('drop database if exists loading with (force)')
        await cluster.query('create database loading')
        await fill(withName(clusterUrl, 'loading'), listings)
        await cluster.query(`alter database loading rename to ${name}`)
      }
      markets.push({ listings, url: withName(clusterUrl, name) })
    }
    return markets as { [Index in keyof Sizes]: Market }
  } finally {
    await cluster.end()
  }
}

/** Returns a hash of all inputs of a market: this file, the indexing rules and the schema. */
async function contentKey(): Promise<string> {
  const hash = createHash('sha256')
  const files = (await readdir(migrations)).sort().map((file) => join(migrations, file))
  for (const file of [import.meta.filename, indexRules, ...files]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 12)
}

function withName(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.href
}

async function fill(url: string, listings: number): Promise<void> {
  await prepareDatabase(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Creating indexes is faster after the inserts.
    await client.query("set maintenance_work_mem = '512MB'; set work_mem = '256MB'")
    await client.query('create temp table postal_codes (rank integer primary key, code integer)')
    await client.query(
      'insert into postal_codes select rank - 1, code from unnest($1::int[]) with ordinality p (code, rank)',
      [allPostalCodes(town)],
    )
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where tablename = 'listings' and indexname not like '%_pkey'`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const insert of insertsOfMembers) await client.query(insert, [members, listings])
    await client.query(`create temp table drawn as ${drawnListings}`, [members, listings])
    await insertListings(client)
    for (const { definition } of indexes) await client.query(definition)
    const pool = createPool({ url, pool: 1, statementTimeoutMs: 5000 })
    await refreshSearchTerms(createDb<Tables>(pool))
    await pool.end()
    await client.query('vacuum (analyze) images, users, friendships, listings, search_terms')
  } finally {
    await client.end()
  }
}

/** Deletes all sessions, opens one of each of this many members and returns the tokens. */
export function openSessions(market: Market, memberCount: number): Promise<string[]> {
  return openSessionsOf(
    market,
    Array.from({ length: memberCount }, (_, index) => 1 + Math.floor((index * members) / memberCount)),
  )
}

/** Deletes all sessions, opens one of each of these members and returns the tokens. */
export async function openSessionsOf(
  { url }: Pick<Market, 'url'>,
  ids: readonly number[],
): Promise<string[]> {
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 60_000 })
  try {
    await pool.query('delete from sessions')
    return await createDb<Tables>(pool)
      .transaction()
      .execute(async (tx) => {
        const sessions = createSessions(tx, localBus)
        const tokens: string[] = []
        for (const id of ids) {
          const { password_hash } = await tx
            .selectFrom('users')
            .select('password_hash')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          tokens.push((await sessions.open(id, password_hash)) ?? '')
        }
        return tokens
      })
  } finally {
    await pool.end()
  }
}
