import type { z } from 'zod/mini'
import { limits } from '#contract/constants.ts'
import { listingMessages } from '#contract/listings.ts'
import type { listNearbyWants as endpoint, NearbyWant } from '#contract/wants.ts'
import { postalCodesWithin, unknownLocation } from '#server/features/locations/postal-codes.ts'
import { cropName, wordsPrefix } from '#server/features/matching/crop-keys.ts'
import { drawingOf } from '#server/features/matching/drawing.ts'
import { languageOf } from '#server/features/members/language.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import type { createCropCounts } from './crop-counts.ts'
import { countOfferedInWords, findReach, listNearbyWants, type NearbyWantRow } from './queries.ts'

/** Returns the locations within the caller's reach: their match radius, up to a maximum. Throws `location_unknown`. */
export async function locationsInReach(db: Db, caller: number): Promise<readonly number[]> {
  const { postal_code_id, is_given, match_radius } = await findReach(db, caller)
  if (postal_code_id === unknownLocation) {
    const message = is_given ? listingMessages.placeUnknown : listingMessages.locationUnknown
    throw invalid('near', message, 'location_unknown')
  }
  return postalCodesWithin(postal_code_id, Math.min(match_radius ?? Infinity, limits.nearbyWants.maxMiles))
}

/** Counts the offers of groups in words, and sorts the groups again if there are any. */
async function withOffersInWords(
  db: Db,
  caller: number,
  within: readonly number[],
  rows: readonly NearbyWantRow[],
): Promise<readonly NearbyWantRow[]> {
  const words = rows.map(({ crop }) => crop).filter((crop) => crop.startsWith(wordsPrefix))
  if (words.length === 0) return rows
  const counts = await countOfferedInWords(db, caller, within, words)
  const keyOf = ({ crop, category_id }: Pick<NearbyWantRow, 'crop' | 'category_id'>) =>
    `${category_id} ${crop}`
  const offered = new Map(counts.map((count) => [keyOf(count), count.offered]))
  const unmet = (row: NearbyWantRow) => Math.max(row.wanted - row.offered, 0)
  return rows
    .map((row) => ({ ...row, offered: offered.get(keyOf(row)) ?? row.offered }))
    .toSorted((one, other) => unmet(other) - unmet(one) || other.wanted - one.wanted)
}

/** Returns what members within the caller's reach want, by crop, the most unmet first. Throws `location_unknown`. */
export async function nearbyWants(
  { db, cropCounts }: { db: Db; cropCounts: ReturnType<typeof createCropCounts> },
  caller: number,
  { category_id }: z.output<typeof endpoint.query>,
): Promise<NearbyWant[]> {
  const within = await locationsInReach(db, caller)
  const category = category_id ?? null
  const found = (await cropCounts.isFor(within))
    ? await cropCounts.list(caller, within, category)
    : await listNearbyWants(db, caller, within, category)
  const rows = await withOffersInWords(db, caller, within, found)
  const language = (await languageOf(db, caller)) ?? 'en'
  return rows.map((row) => ({ ...row, ...shownCrop(row, language) }))
}

/** Returns the name and the drawing of a crop. */
export function shownCrop(
  { crop, category_id }: Pick<NearbyWantRow, 'crop' | 'category_id'>,
  language: string,
) {
  return {
    name: cropName(crop, language),
    drawing: drawingOf({ title: cropName(crop, 'en'), category_id }),
  }
}
