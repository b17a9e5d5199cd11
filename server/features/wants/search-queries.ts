import type { QueryWord } from '#server/features/matching/index-terms.ts'
import { type Db, rowStatement, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import type { OwnedRow } from './queries.ts'

export interface WantResultRow extends OwnedRow {
  username: string
  picture_name: string | null
}

/** Selects wants of others, without those of suspended members and members with a block between them and the caller. */
const select = (wants: string) => `
  select w.id, w.title, w.category_id, w.user_id, u.username, u.picture_name
  from ${wants} join users u on u.id = w.user_id
  where w.user_id <> $1 and u.suspended_at is null and ($4::smallint is null or w.category_id = $4)
    and not exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = w.user_id)
    and not exists (select from blocks b where b.blocker_id = w.user_id and b.blocked_id = $1)`

type Page = [caller: number, before: number, limit: number, category: number | null]

export const listNewestWants = statement<Page, WantResultRow>(
  `${select('wants w')} and w.id < $2 order by w.id desc limit $3`,
)

/** The number of the newest wants with the rarest word that a page examines. */
const candidates = 500

const newestWith = (terms: string, before: string) => `
  select distinct t.want_id from unnest(${terms}) g (term) cross join lateral (
    select want_id from want_terms where term = g.term and want_id < ${before} order by want_id desc limit ${candidates}
  ) t order by t.want_id desc limit ${candidates}`

/** Returns wants with all of these words, newest first. `others` are words as JSON. */
export const listWantsWith = statement<[...Page, rarest: readonly string[], others: string], WantResultRow>(
  `${select(`(${newestWith('$5::text[]', '$2')}) c cross join lateral (
     select id, user_id, title, category_id from wants where id = c.want_id limit 1
   ) w`)} and (
     select coalesce(bool_and(coalesce((
       select true from want_terms t
       where t.term = any (array(select json_array_elements_text(o.word))) and t.want_id = w.id limit 1
     ), false)), true) from json_array_elements($6::json) o (word)
   ) order by w.id desc limit $3`,
)

/** Returns the last want that a page examined, or undefined if there are no more. */
export const findLastCandidate = rowStatement<
  [terms: readonly string[], before: number],
  { want_id: number }
>(`select want_id from (${newestWith('$1::text[]', '$2')}) c order by want_id desc offset ${candidates - 1}`)

const usage = statement<[words: string], { used: number }>(
  `select (
     select count(*)::int from (
       select from json_array_elements_text(g.word) s (term) cross join lateral (
         select from want_terms t where t.term = s.term limit ${candidates}
       ) t limit ${candidates}
     ) counted
   ) as used from json_array_elements($1::json) with ordinality g (word, position) order by position`,
)

/** Returns how many wants have each word, up to a maximum. */
export async function countWith(db: Db<Tables>, words: readonly QueryWord[]): Promise<number[]> {
  return (await usage(db, JSON.stringify(words))).map(({ used }) => used)
}

/** The maximum number of terms with a prefix that are read. */
const maxTerms = 50

const termsFrom = statement<[first: string, last: string], { term: string }>(
  `with recursive found (term, position) as (
     (select term, 1 from want_terms where term >= $1 and term < $2 order by term limit 1)
     union all
     select (select t.term from want_terms t where t.term > f.term and t.term < $2 order by t.term limit 1), f.position + 1
     from found f where f.term is not null and f.position < ${maxTerms}
   ) select term from found where term is not null`,
)

/** Returns index terms with a prefix. */
export async function listWantTermsStarting(db: Db<Tables>, start: string): Promise<string[]> {
  return (await termsFrom(db, start, `${start}\u{10FFFF}`)).map(({ term }) => term)
}
