import { limits } from '#contract/constants.ts'
import type { AreaQuery, ListingArea } from '#contract/listing-queries.ts'
import { areaOf, type LocationArea, locationsAround } from '#server/features/locations/areas.ts'
import { bandsBetween, byDistance, postalCodesWithin } from '#server/features/locations/postal-codes.ts'
import type { Db } from '#server/tables.ts'
import { knownPlace, listOf } from './market.ts'
import { listCounts } from './queries.ts'
import { parseSearch } from './search.ts'

/**
 * Counts the listings of a list by area, nearest first: all listings of the areas around the caller, or those within `near`. Throws
 * `invalid` if the caller's location is unknown.
 */
export async function areasOfMarket(db: Db, caller: number, query: AreaQuery): Promise<ListingArea[]> {
  const { near, q, ...filter } = query
  const place = await knownPlace(db, caller, 'near')
  const locations = near === undefined ? locationsAround(place) : postalCodesWithin(place, near)
  const list = await listOf(db, caller, filter, place)
  if (q === undefined) return joined(place, await listCounts(db, list, locations))
  const search = await parseSearch(db, list, q)
  if (!search) return []
  const counts = await listCounts(db, { ...list, search: search.all }, locations)
  if (counts.length > 0 || !search.allButOne) return joined(place, counts)
  return joined(place, await listCounts(db, { ...list, search: search.allButOne }, locations))
}

/** Joins the counts of postal codes to those of areas, and areas with too few listings to one without a name. */
function joined(
  place: number,
  counts: readonly { readonly postal_code_id: number; readonly listings: number }[],
): ListingArea[] {
  const listingsOf = new Map<number, number>()
  for (const { postal_code_id, listings } of counts)
    listingsOf.set(postal_code_id, (listingsOf.get(postal_code_id) ?? 0) + listings)
  const byArea = Map.groupBy(
    byDistance(place, [...listingsOf.keys()]).flatMap((location) => {
      const area = areaOf(location)
      return area ? [{ location, area, listings: listingsOf.get(location) ?? 0 }] : []
    }),
    ({ area }) => area.id,
  )
  const areas = Array.from(byArea.values(), (parts) => ({
    // The nearest.
    ...parts[0],
    count: parts.reduce((sum, { listings }) => sum + listings, 0),
  }))
  const shown = areas.filter(({ count }) => count >= limits.area.min).slice(0, limits.area.max)
  const others = areas.filter((area) => !shown.includes(area))
  const toArea = (area: LocationArea | null, nearest: number, count: number): ListingArea => ({
    area: area?.id ?? null,
    name: area?.name ?? null,
    count,
    ...bandsBetween(place, nearest),
  })
  const rest = others.reduce((sum, { count }) => sum + count, 0)
  return [
    ...shown.map(({ area, location = 0, count }) => toArea(area ?? null, location, count)),
    ...(rest > 0 ? [toArea(null, others[0]?.location ?? 0, rest)] : []),
  ]
}
