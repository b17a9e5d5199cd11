import { type RawBuilder, sql } from 'kysely'
import type { WantResult } from '#contract/wants.ts'
import type { QueryWord } from '#server/features/matching/index-terms.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { unseenBy } from '#server/features/visibility/members.ts'
import type { Db } from '#server/tables.ts'

interface Page {
  readonly caller: number
  readonly before: number
  readonly limit: number
  readonly category: number | null
}

/** Returns wants of others, newest first, without those of suspended members and members with a block between them and the caller. */
async function listWants(
  db: Db,
  { caller, limit, category }: Page,
  { from, where }: { from: RawBuilder<unknown>; where: RawBuilder<unknown> },
) {
  const { rows } = await sql<WantResult>`
    select w.id, w.title, w.category_id, ${sql.raw(briefMember('u'))} as user
    from (select ${caller}::bigint as id) me cross join ${from} join users u on u.id = w.user_id
    where w.user_id <> me.id and (${category}::smallint is null or w.category_id = ${category})
      and w.user_id not in (${sql.raw(unseenBy('me.id'))}) and ${where}
    order by w.id desc limit ${limit}`.execute(db)
  return rows
}

export function listNewestWants(db: Db, page: Page) {
  return listWants(db, page, { from: sql`wants w`, where: sql`w.id < ${page.before}` })
}

/** The maximum number of wants with the rarest word that a page examines. */
const maxCandidates = 500

const newestWith = (terms: readonly string[], before: number) => sql`
  select distinct t.want_id from unnest(${terms}::text[]) g (term) cross join lateral (
    select want_id from want_terms where term = g.term and want_id < ${before}
    order by want_id desc limit ${sql.lit(maxCandidates)}
  ) t order by t.want_id desc limit ${sql.lit(maxCandidates)}`

/** Returns wants with all of these words. `rarest` are the terms of one word, `others` those of each other word. */
export function listWantsWith(db: Db, page: Page, rarest: QueryWord, others: readonly QueryWord[]) {
  const from = sql`(${newestWith(rarest, page.before)}) c cross join lateral (
    select id, user_id, title, category_id from wants where id = c.want_id limit 1
  ) w`
  const where = sql`(
    select coalesce(bool_and(coalesce((
      select true from want_terms t
      where t.term = any (array(select json_array_elements_text(o.word))) and t.want_id = w.id limit 1
    ), false)), true) from json_array_elements(${JSON.stringify(others)}::json) o (word)
  )`
  return listWants(db, page, { from, where })
}

/** Returns the last want that a page examined, or undefined if it examined all. */
export async function findLastCandidate(db: Db, terms: QueryWord, before: number) {
  const { rows } = await sql<{ want_id: number }>`
    select want_id from (${newestWith(terms, before)}) c
    order by want_id desc offset ${sql.lit(maxCandidates - 1)}`.execute(db)
  return rows[0]
}

/** Returns how many wants have each word, up to `maxCandidates`. */
export async function countWantsWith(db: Db, words: readonly QueryWord[]): Promise<number[]> {
  const { rows } = await sql<{ want_count: number }>`
    select (
      select count(*)::int from (
        select from json_array_elements_text(g.word) s (term) cross join lateral (
          select from want_terms t where t.term = s.term limit ${sql.lit(maxCandidates)}
        ) t limit ${sql.lit(maxCandidates)}
      ) counted
    ) as want_count
    from json_array_elements(${JSON.stringify(words)}::json) with ordinality g (word, position) order by position`.execute(
    db,
  )
  return rows.map(({ want_count }) => want_count)
}

/** The maximum number of terms that are read for a prefix. */
const maxTerms = 50

/** Returns the first index terms with a prefix. */
export async function listWantTermsStarting(db: Db, prefix: string): Promise<string[]> {
  const last = `${prefix}\u{10FFFF}`
  const { rows } = await sql<{ term: string }>`
    with recursive found (term, position) as (
      (select term, 1 from want_terms where term >= ${prefix} and term < ${last} order by term limit 1)
      union all
      select (select t.term from want_terms t where t.term > f.term and t.term < ${last} order by t.term limit 1), f.position + 1
      from found f where f.term is not null and f.position < ${sql.lit(maxTerms)}
    ) select term from found where term is not null`.execute(db)
  return rows.map(({ term }) => term)
}
