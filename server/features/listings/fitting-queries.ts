import { limits, states } from '#contract/constants.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { visibility } from './queries.ts'
import type { Word } from './terms.ts'
import { Values } from './walks.ts'

/** A wish as it can be looked up; every word has to be met by one of its terms. */
export interface SoughtWish {
  readonly id: number
  readonly category_id: number | null
  readonly words: readonly Word[]
}

export interface FittingRow {
  id: number
  fitting: number
}

/** So many of the newest listings with a wish's rarest word are looked at; the rest of a common word is left uncounted. */
const mostLookedAt = 200

const namedBy = (term: string) =>
  `select t.listing_id from listing_terms t where t.term = ${term} and t.in_title
   order by t.listing_id desc limit ${mostLookedAt}`

/**
 * How many listings of others, which the caller may see and could have, name each of the wishes in their title; at most a
 * page's most. One statement for all wishes: of each it goes through the newest that have its rarest word. The lookups are
 * lateral and limited, so that each candidate is looked up by its id however many there are.
 */
export async function countFitting(
  db: Db<Tables>,
  caller: number,
  wishes: readonly SoughtWish[],
): Promise<FittingRow[]> {
  const values = new Values()
  const sought = values.add(JSON.stringify(wishes), 'json')
  const me = values.add(caller, 'bigint')
  const visible = visibility(values, { of: 'all' }, caller)
  return statement<unknown[], FittingRow>(`
    select w.id, f.fitting
    from json_to_recordset(${sought}) as w (id bigint, category_id smallint, words json)
    cross join lateral (
      select s.word from json_array_elements(w.words) as s (word)
      order by (
        select count(*) from json_array_elements_text(s.word) as a (term) cross join lateral (${namedBy('a.term')}) n
      ) limit 1
    ) rarest
    cross join lateral (
      select count(*)::int as fitting from (
        select from (
          select distinct n.listing_id from json_array_elements_text(rarest.word) as a (term)
          cross join lateral (${namedBy('a.term')}) n
        ) c
        cross join lateral (
          select bool_and(coalesce((
            select true from json_array_elements_text(s.word) as a (term)
            cross join lateral (
              select true from listing_terms t where t.term = a.term and t.listing_id = c.listing_id and t.in_title limit 1
            ) n limit 1
          ), false)) as all_named from json_array_elements(w.words) as s (word)
          where s.word::text <> rarest.word::text
        ) further
        where coalesce(further.all_named, true) and (
          select true from listings l join users o on o.id = l.owner_id
          where l.id = c.listing_id and l.owner_id <> ${me} and l.state_id <> ${states.gone}
            and (w.category_id is null or l.category_id is null or l.category_id = w.category_id) and ${visible}
          limit 1
        )
        limit ${limits.page.max}
      ) fits
    ) f`)(db, ...values.list)
}
