import { sql } from 'kysely'
import { type CategoryId, categories, limits } from '#contract/constants.ts'
import { wordsPrefix } from '#server/features/matching/crop-keys.ts'
import { matchRadius } from '#server/features/members/match-radius.ts'
import { isListedFor, isNotGone, isPublished } from '#server/features/visibility/listings.ts'
import { friendsOf, unseenBy } from '#server/features/visibility/members.ts'
import { runUnprepared } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

/** Returns a member's location, or 0 if it is unknown, whether the member has given a postal code, and their match radius. */
export async function findReach(db: Db, member: number) {
  const reach = await db
    .selectFrom('users')
    .select(['postal_code_id', sql<boolean>`zip_code is not null`.as('is_given')])
    .select(sql.raw<number | null>(matchRadius('users')).as('match_radius'))
    .where('id', '=', member)
    .executeTakeFirst()
  return reach ?? { postal_code_id: 0, is_given: false, match_radius: null }
}

export interface NearbyWantRow {
  /** A key of `crop-keys.ts`. */
  crop: string
  category_id: CategoryId | null
  wanted: number
  offered: number
}

const [caller, locations, category, words] = ['$1::bigint', '$2::integer[]', '$3::smallint', '$3::text[]']

/** Holds for listings near the caller that are listed for them and not gone. */
const isShown = `l.postal_code_id = any (${locations}) and ${isListedFor(caller)} and ${isNotGone}`
/** Holds for listings of the caller's friends and their own. */
const isOfFriend = `l.owner_id = any (array(${friendsOf(caller)} union all select ${caller}))`
const shown = [`${isPublished} and ${isShown}`, `not l.is_public and ${isOfFriend} and ${isShown}`]

/** The wants of others near the caller, without those of members whom they do not see. */
const others = `w.postal_code_id = any (${locations}) and w.user_id <> ${caller} and w.user_id not in (${unseenBy(caller)})`

const categoryIds = Object.values(categories)

/**
 * Each step is materialized, because the planner can't estimate the rows of arrays. `categories` has a bit for each category of a member's
 * offers, the lowest for none. A want fits the offers of its own category and of none; a want without a category fits all.
 */
const nearby = `
  with wanted as materialized (
    select crop, category_id, count(*)::int as wanted from (
      select distinct unnest(w.crops) as crop, w.category_id, w.user_id from wants w
      where ${others} and (${category} is null or w.category_id = ${category})
    ) w group by crop, category_id
    having count(*) > 1 or not starts_with(crop, '${wordsPrefix}')
  ), offers as materialized (
    select crop, bit_or(1 << coalesce(category_id, 0)) as categories
    from (${shown.map((condition) => `select unnest(l.crops) as crop, l.category_id, l.owner_id from listings l where ${condition}`).join(' union all ')}) l
    where crop in (select crop from wanted) group by crop, owner_id
  ), offered as materialized (
    select crop, count(*)::int as offered
      ${categoryIds.map((id) => `, count(*) filter (where categories & ${1 | (1 << id)} <> 0)::int as offered_${id}`).join('')}
    from offers group by crop
  ), found as (
    select w.crop, w.category_id, w.wanted, coalesce(
      case w.category_id ${categoryIds.map((id) => `when ${id} then o.offered_${id}`).join(' ')} else o.offered end, 0) as offered
    from wanted w left join offered o on o.crop = w.crop
  )
  select * from found order by greatest(wanted - offered, 0) desc, wanted desc, crop, category_id
  limit ${limits.page.max}`

/**
 * Returns what other members in these locations want by crop and category, the most unmet first, with the numbers of members who want it
 * and who offer it there. A group in words needs two members, so that nobody's own words are shown; nobody seems to offer it.
 */
export function listNearbyWants(
  db: Db,
  member: number,
  within: readonly number[],
  categoryId: CategoryId | null,
): Promise<NearbyWantRow[]> {
  return runUnprepared<NearbyWantRow>(db, { text: nearby, values: [member, within, categoryId] })
}

/** The maximum number of wants whose matches are counted. */
const maxWantsInWords = 400

const offeredInWords = `
  select w.crop, w.category_id, count(distinct l.owner_id)::int as offered from (
    select w.id, w.category_id, crop from wants w cross join unnest(w.crops) crop
    where ${others} and w.crops && ${words} and crop = any (${words}) order by w.id desc limit ${maxWantsInWords}
  ) w
  cross join lateral (select listing_id from matches where want_id = w.id and fits offset 0) m
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  where ${isShown} and (l.is_public or ${isOfFriend})
  group by w.crop, w.category_id`

/** Returns how many members offer what wants in these words match. Listings have no key for words without a concept. */
export function countOfferedInWords(
  db: Db,
  member: number,
  within: readonly number[],
  crops: readonly string[],
): Promise<Omit<NearbyWantRow, 'wanted'>[]> {
  return runUnprepared(db, { text: offeredInWords, values: [member, within, crops] })
}
