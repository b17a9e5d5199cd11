import { sql } from 'kysely'
import {
  isCurrent,
  isListed,
  isListedFor,
  isNotGone,
  isPublished,
} from '#server/features/visibility/listings.ts'
import { blockedWith, friendsOf, suspendedMembers } from '#server/features/visibility/members.ts'
import { runUnprepared } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

/** Counts of members for a crop: who wants it in no category and in each, then who offers what fits such a want. */
export interface CropCount {
  readonly crop: string
  readonly counts: readonly number[]
}

/** Returns whether members in these locations have at least so many wants. */
export async function haveWants(db: Db, locations: readonly number[], least: number): Promise<boolean> {
  const { rows } = await sql<{ wants: number }>`
    select count(*)::int as wants from
      (select from wants where postal_code_id = any (${locations}::integer[]) limit ${sql.lit(least)}) w`.execute(
    db,
  )
  return rows[0]?.wants === least
}

/** Returns whether a member has posted or changed a listing or a want in the last seconds. */
export async function hasChanged(db: Db, member: number, seconds: number): Promise<boolean> {
  const isNew = sql<boolean>`updated_at > now() - ${sql.lit(seconds)} * interval '1 second'`
  const { rows } = await sql<{ has_changed: boolean }>`
    select exists(select from listings where owner_id = ${member} and ${isNew})
      or exists(select from wants where user_id = ${member} and ${isNew}) as has_changed`.execute(db)
  return rows[0]?.has_changed === true
}

/** A bit for each category, the lowest for none. */
const bitOf = (row: string) => `1 << coalesce(${row}.category_id, 0)`
/** The categories of a want, as bits, and those of the offers that fit it: its own and none. A want without a category fits all. */
const categories = [1, 2, 4, 8]
const fitting = [15, 3, 5, 9]

const countOf = (column: string, bits: number) => `count(*) filter (where ${column} & ${bits} <> 0)`
const wanted = categories.map((bits) => countOf('wants', bits))
const offered = fitting.map((bits) => countOf('offers', bits))

const isCounted = `${isPublished} and ${isCurrent} and ${isNotGone} and l.owner_id not in (${suspendedMembers})`
const isCountedWant = `w.user_id not in (${suspendedMembers})`

const zeros = categories.map(() => '0')

/** Two statements, because one for both sorts more than the memory of a statement holds. */
const cropCounts = [
  `select location, crop, array[${[...wanted, ...zeros].join(', ')}]::integer[] as counts from (
    select w.postal_code_id as location, unnest(w.crops) as crop, bit_or(${bitOf('w')}) as wants
    from wants w where w.postal_code_id = any ($1::integer[]) and ${isCountedWant}
    group by location, crop, w.user_id
  ) members group by location, crop`,
  `select location, crop, array[${[...zeros, ...offered].join(', ')}]::integer[] as counts from (
    select l.postal_code_id as location, unnest(l.crops) as crop, bit_or(${bitOf('l')}) as offers
    from listings l where l.postal_code_id = any ($1::integer[]) and ${isCounted}
    group by location, crop, l.owner_id
  ) members group by location, crop`,
]

type LocationCropCount = CropCount & { readonly location: number }

/** Counts the members in each location who want a crop, and those who publicly offer it. */
export async function countCrops(db: Db, locations: readonly number[]): Promise<LocationCropCount[]> {
  const counts = cropCounts.map((text) => runUnprepared<LocationCropCount>(db, { text, values: [locations] }))
  return (await Promise.all(counts)).flat()
}

const caller = '$1::bigint'
const isOfFriend = `l.owner_id = any (array(${friendsOf(caller)} union all select ${caller}))`
const changes = [
  ...wanted.map((count) => `-${count}`),
  ...fitting.map((bits) => `${countOf('shown', bits)} - ${countOf('counted', bits)}`),
]

const differences = `
  select crop, array[${changes.join(', ')}]::integer[] as counts from (
    select crop, bit_or(wants) as wants, bit_or(counted) as counted, bit_or(shown) as shown from (
      select unnest(w.crops) as crop, w.user_id as member, ${bitOf('w')} as wants, 0 as counted, 0 as shown
      from wants w where w.user_id = any (array(select ${caller} union all ${blockedWith(caller)}))
        and w.postal_code_id = any ($2::integer[]) and ${isCountedWant}
      union all
      select unnest(l.crops), l.owner_id, 0, case when ${isCounted} then ${bitOf('l')} else 0 end,
        case when ${isListedFor(caller)} and ${isNotGone} and (l.is_public or ${isOfFriend}) then ${bitOf('l')} else 0 end
      from listings l where l.owner_id = any (array(${friendsOf(caller)} union all select ${caller} union all ${blockedWith(caller)}))
        and l.postal_code_id = any ($2::integer[]) and ${isListed} and ${isNotGone}
    ) entries group by crop, member
  ) members group by crop`

/** Returns what a member's own view adds to the counts of these locations: friends-only listings, and less of own wants and blocked members. */
export function countDifferences(db: Db, member: number, locations: readonly number[]): Promise<CropCount[]> {
  return runUnprepared(db, { text: differences, values: [member, locations] })
}
