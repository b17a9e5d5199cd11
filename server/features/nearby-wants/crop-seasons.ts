import type { z } from 'zod/mini'
import type { CropSeason, listCropSeasons as endpoint } from '#contract/wants.ts'
import { areaOf, locationsOfArea } from '#server/features/locations/areas.ts'
import { languageOf } from '#server/features/members/language.ts'
import type { Db } from '#server/tables.ts'
import {
  deleteOldCropWeeks,
  listCropSeasons,
  listWantLocations,
  replaceCropWeek,
} from './crop-season-queries.ts'
import { locationsInReach, shownCrop } from './nearby-wants.ts'

/** The number of areas that one statement counts. */
const areasPerStep = 50

/** Counts the wants of this week by area. Repeated within the week, it replaces the earlier numbers. Deletes those of old weeks. */
export async function countCropWeek(db: Db): Promise<void> {
  const found = await listWantLocations(db)
  const areas = [...new Set(found.flatMap((location) => areaOf(location)?.id ?? []))]
  for (let start = 0; start < areas.length; start += areasPerStep) {
    const step = areas.slice(start, start + areasPerStep)
    const locations = step.flatMap((area) => locationsOfArea(area).map((location) => ({ location, area })))
    await replaceCropWeek(db, locations)
  }
  await deleteOldCropWeeks(db)
}

/** Returns the crops with the most unmet wants in the areas within the caller's reach, by week. Throws `location_unknown`. */
export async function cropSeasons(
  db: Db,
  caller: number,
  { category_id }: z.output<typeof endpoint.query>,
): Promise<CropSeason[]> {
  const areas = areasWithin(await locationsInReach(db, caller))
  const rows = await listCropSeasons(db, areas, category_id ?? null)
  const language = (await languageOf(db, caller)) ?? 'en'
  return rows.map((row) => ({ ...row, ...shownCrop(row, language) }))
}

/** Returns the areas of which at least half of the locations are among these, and always that of the first, where the caller is. */
function areasWithin(locations: readonly number[]): number[] {
  const byArea = Map.groupBy(locations, (location) => areaOf(location)?.id)
  const own = areaOf(locations[0] ?? 0)?.id
  return [...byArea].flatMap(([area, within]) =>
    area !== undefined && (area === own || 2 * within.length >= locationsOfArea(area).length) ? [area] : [],
  )
}
