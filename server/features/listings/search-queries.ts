import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { isWord, type Term, variantsOf } from './terms.ts'
import { shown, visibleTo } from './visibility.ts'

/** A listing and what it is found by. */
export interface Filed {
  readonly listing_id: number
  readonly terms: readonly Term[]
}

const addTerms = statement<[terms: string[], listings: number[], inTitle: boolean[]], object>(
  `insert into listing_terms (term, listing_id, in_title)
   select * from unnest($1::text[], $2::bigint[], $3::boolean[]) on conflict (term, listing_id) do nothing`,
)

// In one order everywhere, so that two who bring the same new words never wait for each other.
const addToVocabulary = statement<[terms: string], object>(
  `insert into vocabulary (term, variants)
   select n.term, n.variants from json_to_recordset($1::json) as n (term text, variants text[])
   where not exists (select from vocabulary v where v.term = n.term)
   order by n.term collate "C" on conflict (term) do nothing`,
)

export async function insertTerms(tx: Db<Tables>, filed: readonly Filed[]): Promise<void> {
  const rows = filed.flatMap(({ listing_id, terms }) => terms.map((term) => ({ listing_id, ...term })))
  if (rows.length === 0) return
  await addTerms(
    tx,
    rows.map(({ term }) => term),
    rows.map(({ listing_id }) => listing_id),
    rows.map(({ in_title }) => in_title),
  )
  const terms = [...new Set(rows.map(({ term }) => term).filter(isWord))]
  await addToVocabulary(tx, JSON.stringify(terms.map((term) => ({ term, variants: variantsOf(term) }))))
}

export async function deleteTerms(tx: Db<Tables>, listings: readonly number[]): Promise<void> {
  await tx.deleteFrom('listing_terms').where('listing_id', 'in', listings).execute()
}

const filedAs = statement<[ids: number[], bits: string[], version: number], object>(
  `update listings l set word_bits = f.bits::bit(384), terms_version = $3
   from unnest($1::bigint[], $2::text[]) f (id, bits) where l.id = f.id`,
)

export async function updateFiled(
  tx: Db<Tables>,
  ids: readonly number[],
  bits: readonly string[],
  version: number,
): Promise<void> {
  await filedAs(tx, [...ids], [...bits], version)
}

export interface TextRow {
  id: number
  title: string
  description: string
  category_id: number | null
}

export async function findText(tx: Db<Tables>, id: number): Promise<TextRow | undefined> {
  return tx
    .selectFrom('listings')
    .select(['id', 'title', 'description', 'category_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Listings that were filed by older rules or not at all, held until the transaction ends; those that others hold are left to them. */
export async function listUnfiledListings(
  tx: Db<Tables>,
  version: number,
  limit: number,
): Promise<TextRow[]> {
  return tx
    .selectFrom('listings')
    .select(['id', 'title', 'description', 'category_id'])
    .where('terms_version', '<', version)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

const unfiled = statement<[version: number], { id: number }>(
  'select id from listings where terms_version < $1 limit 1',
)

export async function hasUnfiledListing(db: Db<Tables>, version: number): Promise<boolean> {
  return (await unfiled(db, version)).length > 0
}

/** Terms after this one that no listing has any more. */
const unusedTerms = statement<[after: string, limit: number], { term: string; used: boolean }>(
  `select v.term, exists (select from listing_terms t where t.term = v.term) as used
   from (select term from vocabulary where term > $1 order by term limit $2) v`,
)

/** Forgets the words that nobody uses any more, and returns where to go on; undefined at the end. */
export async function deleteUnusedTerms(
  db: Db<Tables>,
  after: string,
  limit: number,
): Promise<string | undefined> {
  const terms = await unusedTerms(db, after, limit)
  const unused = terms.filter(({ used }) => !used).map(({ term }) => term)
  if (unused.length > 0) await db.deleteFrom('vocabulary').where('term', 'in', unused).execute()
  return terms.length === limit ? terms.at(-1)?.term : undefined
}

/**
 * How often a term is used, as far as it is counted, and the ids between which it is used as often; and whether everybody may
 * see a listing that has it, which is taken for granted of what is too common to count.
 */
export interface Usage {
  readonly term: string
  readonly used: number
  readonly among: number
  readonly titled: number
  readonly titled_among: number
  readonly is_public: boolean
}

export const mostCounted = 1024

const counted = (which: string) => `
  select count(*)::int as used, coalesce(max(listing_id) - min(listing_id) + 1, 0) as among from (
    select t.listing_id from listing_terms t where t.term = g.term ${which}
    order by t.listing_id desc limit ${mostCounted}
  ) counted`

const someWith = (term: string, passes: string) => `exists (
     select from (
       select t.listing_id from listing_terms t where t.term = ${term} order by t.listing_id desc limit ${mostCounted}
     ) t cross join lateral (select * from listings where id = t.listing_id limit 1) l
     cross join lateral (select suspended_at from users where id = l.owner_id limit 1) o
     where ${passes}
   )`

const usageOf = statement<[terms: string[]], Usage>(
  `select g.term, a.used, a.among, t.used as titled, t.among as titled_among,
     a.used = ${mostCounted} or ${someWith('g.term', `l.is_public and ${shown}`)} as is_public
   from unnest((select $1::text[])) g (term) cross join lateral (${counted('')}) a
   cross join lateral (${counted('and t.in_title')}) t`,
)

export async function listUsage(db: Db<Tables>, terms: readonly string[]): Promise<Usage[]> {
  return usageOf(db, [...terms])
}

const visibleTerms = statement<[caller: number, terms: string[]], { term: string }>(
  `select g.term from unnest((select $2::text[])) g (term) where ${someWith('g.term', visibleTo('$1'))}`,
)

/** Of these terms, those of listings that the caller may see. */
export async function listVisibleTerms(
  db: Db<Tables>,
  caller: number,
  terms: readonly string[],
): Promise<string[]> {
  return (await visibleTerms(db, caller, [...terms])).map((row) => row.term)
}

const similarTerms = statement<[term: string, variants: string[]], { term: string }>(
  'select term from vocabulary where variants && $2::text[] or term % $1 limit 200',
)

/** Terms that may be a slip or two apart; the caller counts the slips. */
export async function listSimilarTerms(db: Db<Tables>, term: string): Promise<string[]> {
  return (await similarTerms(db, term, variantsOf(term))).map((row) => row.term)
}

const termsFrom = statement<[first: string, last: string], { term: string }>(
  'select term from vocabulary where term >= $1 and term < $2 order by term limit 50',
)

export async function listTermsStarting(db: Db<Tables>, start: string): Promise<string[]> {
  return (await termsFrom(db, start, `${start}\u{10FFFF}`)).map(({ term }) => term)
}

const unplacedMembers = statement<[limit: number], { id: number; zip_code: string }>(
  `select id, zip_code from users where place is null and zip_code is not null order by id limit $1`,
)

export async function listUnplacedMembers(db: Db<Tables>, limit: number) {
  return unplacedMembers(db, limit)
}

/** Only while the postcode is the one that was looked up. */
export async function updatePlace(
  db: Db<Tables>,
  { id, zip_code }: { id: number; zip_code: string },
  place: number | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ place })
    .where('id', '=', id)
    .where('zip_code', '=', zip_code)
    .where('place', 'is', null)
    .execute()
}
