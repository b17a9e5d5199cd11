import pg from 'pg'
import { searchIndexOf } from '#server/features/listings/indexing.ts'
import { conceptTerm, indexVersion } from '#server/features/matching/index-terms.ts'
import { lexicon } from '#server/features/matching/lexicon.ts'
import { wantTermsVersion } from '#server/features/wants/indexing.ts'
import { type BenchSetup, newDatabase } from '../setup.ts'

/** The crop of all measured listings. Only the wants that are to match name it. */
export const rareCrop = 'okra'

/** The English names of all other crops. */
export function otherCrops(): string[] {
  const keys = lexicon().data.crops.map(({ key }) => key)
  return keys.filter((key) => key !== rareCrop).map((key) => key.replaceAll('-', ' '))
}

export interface WantDatabase {
  readonly url: string
  readonly wants: number
  /** The members with wants, with ids from 1. */
  readonly members: number
  /** The members with listings and no wants, with later ids. */
  readonly owners: number
}

export interface WantDatabaseSize {
  readonly wants: number
  readonly members: number
  readonly owners: number
  /** The number of wants of the rare crop, each of another member. */
  readonly matchingWants: number
}

/** Creates a database of members who want all crops, and some of them the rare one. */
export async function createWantDatabase(
  setup: Pick<BenchSetup, 'clusterUrl' | 'stack'>,
  name: string,
  size: WantDatabaseSize,
): Promise<WantDatabase> {
  const url = await newDatabase(setup, name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fill(client, size)
  await client.query('vacuum analyze')
  await client.end()
  return { url, ...size }
}

async function fill(
  client: pg.Client,
  { wants, members, owners, matchingWants }: WantDatabaseSize,
): Promise<void> {
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name, postal_code_id, email_confirmed_at)
     select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener', 97202, now()
     from generate_series(1, $1::int) n`,
    [members + owners],
  )
  await insertWants(client, { wants, members, matchingWants })
}

/** Inserts wants of the first members, with their index terms. */
export async function insertWants(
  client: pg.Client,
  { wants, members, matchingWants }: Omit<WantDatabaseSize, 'owners'>,
): Promise<void> {
  await client.query(
    `insert into wants (user_id, title, terms_version)
     select 1 + n % $2::int, ($3::text[])[1 + n % cardinality($3::text[])], ${wantTermsVersion}
     from generate_series(1, $1::int) n`,
    [wants - matchingWants, members, otherCrops()],
  )
  await client.query(
    `insert into wants (user_id, title, terms_version) select n, '${rareCrop}', ${wantTermsVersion} from generate_series(1, $1::int) n`,
    [matchingWants],
  )
  await client.query(
    `insert into want_terms (term, want_id, wanted, user_id)
     select t.term, w.id, t.wanted, w.user_id from wants w cross join lateral (
       values (($1::jsonb ->> w.title), true), (w.title, false), ('${conceptTerm('group:vegetables')}', false)
     ) t (term, wanted)`,
    [
      JSON.stringify(
        Object.fromEntries(
          [rareCrop, ...otherCrops()].map((crop) => [crop, conceptTerm(crop.replaceAll(' ', '-'))]),
        ),
      ),
    ],
  )
}

/** Inserts a listing of the rare crop of each owner, with ids from 1. */
export async function insertRareListings(
  client: pg.Client,
  { members, owners }: WantDatabase,
): Promise<void> {
  const [title, description] = ['Okra, picked today', 'Come and get some before noon.']
  await client.query(
    `insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id, index_version, search)
     select $2::int + n, $3, $4, 0, true, true, 3, 1, ${indexVersion}, array_to_tsvector($5)
     from generate_series(1, $1::int) n`,
    [owners, members, title, description, searchIndexOf({ title, description }).lexemes],
  )
  await client.query('vacuum analyze listings')
}
