import { sql } from 'kysely'
import { type CategoryId, limits } from '#contract/constants.ts'
import type { CropSeason } from '#contract/wants.ts'
import { wordsPrefix } from '#server/features/matching/crop-keys.ts'
import { isCurrent, isNotGone, isPublished } from '#server/features/visibility/listings.ts'
import { deleteInBatches, inTransaction } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'

const { weeks, crops, minMembers } = limits.cropSeason

/** The Monday of this week in UTC. */
const thisWeek = sql`date_trunc('week', now() at time zone 'UTC')::date`

/** Returns the locations of members with wants. */
export async function listWantLocations(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('wants').select('postal_code_id').distinct().execute()
  return rows.map(({ postal_code_id }) => postal_code_id)
}

const suspended = sql`select id from users where suspended_at is not null`

/**
 * Counts the wants of this week in some areas, and replaces what was counted before. Leaves out words without a concept, and crops that fewer
 * members of an area want than the minimum, so that the numbers single out nobody.
 */
export function replaceCropWeek(
  db: Db,
  locations: readonly { readonly location: number; readonly area: number }[],
): Promise<void> {
  const codes = locations.map(({ location }) => location)
  const areas = locations.map(({ area }) => area)
  return inTransaction(db, async (tx) => {
    await tx
      .deleteFrom('crop_weeks')
      .where('area', '=', anyOf([...new Set(areas)]))
      .where('week', '=', sql<string>`${thisWeek}`)
      .execute()
    await sql`
      with places as materialized (
        select * from unnest(${codes}::integer[], ${areas}::integer[]) places (location, area)
      ), wants as materialized (
        select distinct p.area, crop, w.category_id, w.user_id
        from places p join wants w on w.postal_code_id = p.location cross join unnest(w.crops) crop
        where not starts_with(crop, ${wordsPrefix}) and w.user_id not in (${suspended})
      ), wanted as materialized (
        select area, crop, category_id, count(*)::int as wanted from wants group by area, crop, category_id
        having count(*) >= ${sql.lit(minMembers)}
      ), offers as materialized (
        select distinct p.area, crop, l.category_id, l.owner_id
        from places p join listings l on l.postal_code_id = p.location cross join unnest(l.crops) crop
        where ${sql.raw(`${isPublished} and ${isCurrent} and ${isNotGone}`)} and l.owner_id not in (${suspended})
          and (p.area, crop) in (select area, crop from wanted)
      )
      insert into crop_weeks (area, week, crop, category_id, wanted, offered)
      select area, ${thisWeek}, crop, category_id, wanted, (
        select count(distinct owner_id)::int from offers o where o.area = w.area and o.crop = w.crop
          and (o.category_id is null or w.category_id is null or o.category_id = w.category_id)
      ) from wanted w`.execute(tx)
  })
}

/** Deletes what was counted before the weeks that are kept. */
export function deleteOldCropWeeks(db: Db): Promise<void> {
  return deleteInBatches(db, 'crop_weeks', sql`week <= ${thisWeek} - ${sql.lit(7 * weeks)}`)
}

/** Returns the crops with the most unmet wants in these areas, each with its weeks. */
export async function listCropSeasons(db: Db, areas: readonly number[], categoryId: CategoryId | null) {
  const { rows } = await sql<Pick<CropSeason, 'crop' | 'category_id' | 'weeks'>>`
    with weeks as (
      select crop, category_id, week, sum(wanted)::int as wanted, least(sum(wanted), sum(offered))::int as met
      from crop_weeks
      where area = any (${areas}::integer[]) and week > ${thisWeek} - ${sql.lit(7 * weeks)}
        and (${categoryId}::smallint is null or category_id = ${categoryId})
      group by crop, category_id, week
    )
    select crop, category_id, json_agg(json_build_object('week', week, 'wanted', wanted, 'met', met) order by week) as weeks
    from weeks group by crop, category_id
    order by sum(wanted - met) desc, sum(wanted) desc, crop, category_id limit ${sql.lit(crops)}`.execute(db)
  return rows
}
