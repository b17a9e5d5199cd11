import { sql, type Updateable } from 'kysely'
import { isWord } from '#server/features/matching/index-terms.ts'
import { isCurrent, isListedFor, isPublished, isVisibleTo } from '#server/features/visibility/listings.ts'
import { friendsOf } from '#server/features/visibility/members.ts'
import { inLongTransaction, statement } from '#server/platform/db/database.ts'
import type { Db, Tables } from '#server/tables.ts'
import { anyTermQuery, termQueryOf } from './lexemes.ts'
import { tsvector } from './queries.ts'

/** A word or concept of public listings, with the number of these listings. */
export interface SearchTerm {
  readonly term: string
  readonly listing_count: number
}

/** A term with this many public listings is assumed to be visible to everybody, without a check. */
const commonListings = 64

/**
 * Holds if the caller sees a public listing with the term `t`, or the term is common. The condition counts instead of using `exists`, for which
 * the planner would scan all listings.
 */
const isTermVisible = `(t.listing_count >= ${commonListings} or (
  select count(*) from listings l
  where l.search @@ ${termQueryOf('t.term')} and ${isPublished} and ${isListedFor('$1::bigint')}) > 0)`

export const listKnownTerms = statement<[caller: number, terms: readonly string[]], SearchTerm>(
  `select t.term, t.listing_count from search_terms t where t.term = any ($2::text[]) and ${isTermVisible}`,
)

const termsOfFriends = statement<
  [caller: number, terms: readonly string[], queries: string[]],
  { term: string }
>(
  `with own as materialized (
     select l.search from listings l
     where l.owner_id = any (array(${friendsOf('$1')} union all select $1)) and ${isCurrent} and not (${isPublished})
       and ${isVisibleTo('$1::bigint')}
     union all
     select l.search from listings l where l.owner_id = $1 and l.ended_at is not null
   )
   select t.term from unnest($2::text[], $3::tsquery[]) t (term, query)
   where exists (select from own where own.search @@ t.query)`,
)

/** Returns those of the terms that are in friends' or own listings that are not public, or in own ended ones. Reads only listings that the caller sees. */
export async function listTermsOfFriends(
  db: Db,
  caller: number,
  terms: readonly string[],
): Promise<string[]> {
  const queries = terms.map((term) => anyTermQuery([term]))
  return (await termsOfFriends(db, caller, terms, queries)).map(({ term }) => term)
}

const wordsStarting = statement<[caller: number, first: string, last: string, limit: number], SearchTerm>(
  `select t.term, t.listing_count from (
     select term, listing_count from search_terms where term >= $2 and term < $3 order by listing_count desc, term offset 0
   ) t where ${isTermVisible} limit $4`,
)

/** Returns the most common words with this prefix. */
export function listWordsStarting(
  db: Db,
  caller: number,
  prefix: string,
  limit: number,
): Promise<SearchTerm[]> {
  return wordsStarting(db, caller, prefix, `${prefix}\u{10FFFF}`, limit)
}

const maxSimilar = 50

const similarWords = statement<[caller: number, word: string, deletions: string[]], SearchTerm>(
  `select t.term, t.listing_count from (
     select term, listing_count from search_terms where deletions && $3::text[] or term % $2 and term not like '#%'
     order by similarity(term, $2) desc, listing_count desc offset 0
   ) t where ${isTermVisible} limit ${maxSimilar}`,
)

/** Returns words that may be one or two edits away, the most similar first. */
export function listSimilarWords(db: Db, caller: number, word: string): Promise<SearchTerm[]> {
  return similarWords(db, caller, word, deletionsOf(word))
}

/** Returns the word and the word without each of its letters. Words that share one of these are one or two edits apart. */
function deletionsOf(word: string): string[] {
  const letters = [...word]
  return [...new Set([word, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])]
}

/** Adds the terms of public listings, to which searches are corrected. */
export function insertSearchTerms(db: Db, terms: Iterable<string>): Promise<void> {
  return insertCounted(
    db,
    Array.from(terms, (term) => ({ term, listing_count: 1 })),
  )
}

async function insertCounted(db: Db, terms: readonly SearchTerm[]): Promise<void> {
  if (terms.length === 0) return
  const rows = terms.map((row) => ({ ...row, deletions: isWord(row.term) ? deletionsOf(row.term) : [] }))
  // Inserted in one order, so that concurrent statements do not deadlock.
  await sql`
    insert into search_terms (term, deletions, listing_count)
    select n.term, n.deletions, n.listing_count
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (term text, deletions text[], listing_count integer)
    where not exists (select from search_terms t where t.term = n.term)
    order by n.term collate "C" on conflict (term) do nothing`.execute(db)
}

/** Counting reads all public listings. */
const countTimeoutMs = 50_000

/** Updates the counts of all terms and deletes terms without public listings. */
export async function refreshSearchTerms(db: Db): Promise<void> {
  await inLongTransaction(db, countTimeoutMs, async (tx) => {
    const { rows: missing } = await sql<SearchTerm>`
      with counted as materialized (
        select ltrim(word, '=') as term, sum(ndoc)::int as listing_count
        from ts_stat(${sql.lit(`select l.search from listings l where ${isPublished} and ${isCurrent}`)}) group by 1
      ), gone as (
        delete from search_terms t where not exists (select from counted c where c.term = t.term)
      ), changed as (
        update search_terms t set listing_count = c.listing_count
        from counted c where c.term = t.term and c.listing_count <> t.listing_count
      )
      select c.term, c.listing_count from counted c where not exists (select from search_terms t where t.term = c.term)`.execute(
      tx,
    )
    await insertCounted(tx, missing)
  })
}

/** Locks listings with an older index version and returns them. Skips locked rows. */
export function listOutdatedForUpdate(tx: Db, indexVersion: number, limit: number) {
  return tx
    .selectFrom('listings')
    .select(['id', 'title', 'description', 'category_id', 'is_public', 'is_active'])
    .where('index_version', '<', indexVersion)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Updates the search index of a listing. It counts as no edit. */
export async function updateIndex(
  tx: Db,
  id: number,
  changes: Pick<Updateable<Tables['listings']>, 'drawing' | 'index_version' | 'crops'>,
  lexemes: readonly string[],
): Promise<void> {
  await tx
    .updateTable('listings')
    .set({ ...changes, search: tsvector(lexemes) })
    .where('id', '=', id)
    .execute()
}

export async function hasOutdated(db: Db, indexVersion: number): Promise<boolean> {
  const outdated = await db
    .selectFrom('listings')
    .select('id')
    .where('index_version', '<', indexVersion)
    .limit(1)
    .executeTakeFirst()
  return outdated !== undefined
}
