import { sql } from 'kysely'
import { type CategoryId, limits } from '#contract/constants.ts'
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

const [caller, locations, category] = ['$1::bigint', '$2::integer[]', '$3::smallint']

/** Holds for listings near the caller that are listed for them and not gone. */
const isShown = `l.postal_code_id = any (${locations}) and ${isListedFor(caller)} and ${isNotGone}`
/** Holds for those of them that are not public, but of the caller's friends or their own. */
const isShownToFriends = `not l.is_public and l.owner_id = any (array(${friendsOf(caller)} union all select ${caller})) and ${isShown}`
const shown = [`${isPublished} and ${isShown}`, isShownToFriends]

/** The maximum number of wants with the same words whose matches are counted. */
const maxWantsInWords = 100

/** Counts the owners of listings that match wants of group `g`. Listings have no key for words without a concept. */
const offeredInWords = shown
  .map(
    (condition) => `select l.owner_id from unnest(g.want_ids[1:${maxWantsInWords}]) w (id)
      join matches m on m.want_id = w.id and m.fits join listings l on l.id = m.listing_id where ${condition}`,
  )
  .join(' union ')

const text = `
  with wanted as (
    select crop, w.category_id, count(distinct w.user_id)::int as wanted,
      array_agg(w.id) filter (where starts_with(crop, '${wordsPrefix}')) as want_ids
    from wants w cross join unnest(w.crops) crop
    where w.postal_code_id = any (${locations}) and w.user_id <> ${caller} and w.user_id not in (${unseenBy(caller)})
      and (${category} is null or w.category_id = ${category})
    group by crop, w.category_id
  ), offers as (
    select distinct crop, l.category_id, l.owner_id
    from (${shown.map((condition) => `select l.crops, l.category_id, l.owner_id from listings l where ${condition}`).join(' union all ')}) l
    cross join unnest(l.crops) crop
    where crop in (select crop from wanted)
  ), groups as (
    select w.crop, w.category_id, w.wanted, w.want_ids, count(distinct o.owner_id)::int as offered
    from wanted w left join offers o on o.crop = w.crop
      and (o.category_id is null or w.category_id is null or o.category_id = w.category_id)
    where w.want_ids is null or w.wanted > 1
    group by w.crop, w.category_id, w.wanted, w.want_ids
  ), counted as (
    select crop, category_id, wanted,
      case when want_ids is null then offered else (select count(*)::int from (${offeredInWords}) owners) end as offered
    from groups g
  )
  select * from counted order by greatest(wanted - offered, 0) desc, wanted desc, crop, category_id
  limit ${limits.page.max}`

/**
 * Returns what other members in these locations want by crop and category, the most unmet first, with the numbers of members who want it
 * and who offer it there. A group in words needs two members, so that nobody's own words are shown.
 */
export function listNearbyWants(
  db: Db,
  member: number,
  within: readonly number[],
  categoryId: CategoryId | null,
): Promise<NearbyWantRow[]> {
  return runUnprepared<NearbyWantRow>(db, { text, values: [member, within, categoryId] })
}
