import type { WantResult } from '#contract/wants.ts'
import type { QueryWord } from '#server/features/matching/index-terms.ts'
import { isUnblocked } from '#server/features/members/blocks.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { rowStatement, statement } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

/** Selects wants of others, without those of suspended members and members with a block between them and the caller. */
const selectWants = (wants: string) => `
  select w.id, w.title, w.category_id, ${briefMember('u')} as user
  from ${wants} join users u on u.id = w.user_id
  where w.user_id <> $1 and u.suspended_at is null and ($4::smallint is null or w.category_id = $4)
    and ${isUnblocked('$1', 'w.user_id')}`

type Page = [caller: number, before: number, limit: number, category: number | null]

export const listNewestWants = statement<Page, WantResult>(
  `${selectWants('wants w')} and w.id < $2 order by w.id desc limit $3`,
)

/** The maximum number of wants with the rarest word that a page examines. */
const maxCandidates = 500

const newestWith = (terms: string, before: string) => `
  select distinct t.want_id from unnest(${terms}) g (term) cross join lateral (
    select want_id from want_terms where term = g.term and want_id < ${before} order by want_id desc limit ${maxCandidates}
  ) t order by t.want_id desc limit ${maxCandidates}`

/** Returns wants with all of these words, newest first. `rarest` are the terms of one word, `others` those of each other word as JSON. */
export const listWantsWith = statement<[...Page, rarest: readonly string[], others: string], WantResult>(
  `${selectWants(`(${newestWith('$5::text[]', '$2')}) c cross join lateral (
     select id, user_id, title, category_id from wants where id = c.want_id limit 1
   ) w`)} and (
     select coalesce(bool_and(coalesce((
       select true from want_terms t
       where t.term = any (array(select json_array_elements_text(o.word))) and t.want_id = w.id limit 1
     ), false)), true) from json_array_elements($6::json) o (word)
   ) order by w.id desc limit $3`,
)

/** Returns the last want that a page examined, or undefined if it examined all. */
export const findLastCandidate = rowStatement<
  [terms: readonly string[], before: number],
  { want_id: number }
>(
  `select want_id from (${newestWith('$1::text[]', '$2')}) c order by want_id desc offset ${maxCandidates - 1}`,
)

const wantCounts = statement<[words: string], { want_count: number }>(
  `select (
     select count(*)::int from (
       select from json_array_elements_text(g.word) s (term) cross join lateral (
         select from want_terms t where t.term = s.term limit ${maxCandidates}
       ) t limit ${maxCandidates}
     ) counted
   ) as want_count from json_array_elements($1::json) with ordinality g (word, position) order by position`,
)

/** Returns how many wants have each word, up to `maxCandidates`. */
export async function countWantsWith(db: Db, words: readonly QueryWord[]): Promise<number[]> {
  return (await wantCounts(db, JSON.stringify(words))).map(({ want_count }) => want_count)
}

/** The maximum number of terms that are read for a prefix. */
const maxTerms = 50

const termsBetween = statement<[first: string, last: string], { term: string }>(
  `with recursive found (term, position) as (
     (select term, 1 from want_terms where term >= $1 and term < $2 order by term limit 1)
     union all
     select (select t.term from want_terms t where t.term > f.term and t.term < $2 order by t.term limit 1), f.position + 1
     from found f where f.term is not null and f.position < ${maxTerms}
   ) select term from found where term is not null`,
)

/** Returns the first index terms with a prefix. */
export async function listWantTermsStarting(db: Db, prefix: string): Promise<string[]> {
  return (await termsBetween(db, prefix, `${prefix}\u{10FFFF}`)).map(({ term }) => term)
}
