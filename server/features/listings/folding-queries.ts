import { isCurrent, isListed, isNotGone } from '#server/features/visibility/listings.ts'
import { rowStatement, statement } from '#server/platform/db/database.ts'

/** Folds the listings that are equal to changed ones under the newest. `deleted` ones do not count any more. */
export const refold = statement<[changed: readonly number[], deleted: readonly number[]], object>(`
  with changed as materialized (
    select id, folded_under from listings where id = any ($1::bigint[])
  ), affected as materialized (
    select id from changed
    union select folded_under from changed where folded_under is not null
    union select id from listings where folded_under = any ($1::bigint[])
  ), titles as (
    select distinct owner_id, lower(title) as title from listings where id = any (array(select id from affected))
  ), listed as materialized (
    select l.id, max(l.id) over class as newest_id, count(*) over class - 1 as others
    from titles t join listings l on l.owner_id = t.owner_id and lower(l.title) = t.title
    where ${isListed} and l.id <> all ($2::bigint[])
    window class as (partition by l.owner_id, lower(l.title), l.type_id, l.category_id, l.state_id, l.is_public)
  ), folded as (
    select id, nullif(newest_id, id) as under, case when newest_id = id then others else 0 end as count from listed
    union all
    select id, null, 0 from affected where id not in (select id from listed)
  ), locked as materialized (
    select l.id, f.under, f.count from folded f join listings l on l.id = f.id
    where (l.folded_under, l.folded_count) is distinct from (f.under, f.count) order by l.id for no key update of l
  )
  update listings l set folded_under = locked.under, folded_count = locked.count from locked where l.id = locked.id`)

export interface EqualRow {
  id: number
  title: string
  expires_at: string
}

/** Returns the owner's newest listing that a new one would repeat. */
export const findEqualListing = rowStatement<
  [owner: number, title: string, type: number, category: number | null],
  EqualRow
>(`select l.id, l.title, l.expires_at from listings l
  where l.owner_id = $1 and lower(l.title) = lower($2) and l.type_id = $3 and l.category_id is not distinct from $4::smallint
    and ${isCurrent} and ${isNotGone}
  order by l.id desc limit 1`)
