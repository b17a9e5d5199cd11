import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { type CategoryId, limits } from '#contract/constants.ts'
import { wordsPrefix } from '#server/features/matching/crop-keys.ts'
import type { Db } from '#server/tables.ts'
import { type CropCount, countCrops, countDifferences, hasChanged, haveWants } from './crop-count-queries.ts'
import type { NearbyWantRow } from './queries.ts'

/** With so many wants in reach, counts of the same minute are good enough, and counting again would take too long. */
const manyWants = 10_000
const maxAgeSeconds = 60
/** The number of locations that one statement counts. */
const locationsPerStep = 50
const maxCachedCrops = 500_000

const none: readonly CropCount[] = []

/**
 * Counts what is wanted and offered where many members live. Keeps the counts of each location for a minute in the memory of this node, and
 * reads at each call what differs for the caller: own wants, friends-only listings, blocks.
 */
export function createCropCounts(db: Db) {
  const recent = new LRUCache<number, readonly CropCount[]>({
    maxSize: maxCachedCrops,
    sizeCalculation: (crops) => crops.length + 1,
    ttl: maxAgeSeconds * 1000,
  })
  // Callers who wait for each other count a location once.
  const oneAtATime = pLimit(1)

  async function count(locations: readonly number[]): Promise<(readonly CropCount[])[]> {
    const known = new Map<number, readonly CropCount[]>()
    for (const location of locations) known.set(location, recent.get(location) ?? none)
    const missing = locations.filter((location) => !recent.has(location))
    for (let start = 0; start < missing.length; start += locationsPerStep) {
      const step = missing.slice(start, start + locationsPerStep)
      const counted = Map.groupBy(await countCrops(db, step), ({ location }) => location)
      for (const location of step) {
        const crops = counted.get(location) ?? none
        known.set(location, crops)
        recent.set(location, crops)
      }
    }
    return [...known.values()]
  }

  return {
    /** Returns whether these locations, the caller's own first, have so many wants that they are counted here. */
    isFor: async (locations: readonly number[]) =>
      locations.every((location) => recent.has(location)) || haveWants(db, locations, manyWants),

    /** Returns the same as `listNearbyWants`, but a minute old at most. What the caller has posted or changed counts at once. */
    async list(
      caller: number,
      locations: readonly number[],
      categoryId: CategoryId | null,
    ): Promise<NearbyWantRow[]> {
      if (await hasChanged(db, caller, maxAgeSeconds)) recent.delete(locations[0] ?? 0)
      const parts = await oneAtATime(() => count(locations))
      return rowsOf(sumOf([...parts, await countDifferences(db, caller, locations)]), categoryId)
    },
  }
}

function sumOf(parts: readonly (readonly CropCount[])[]): Map<string, number[]> {
  const sums = new Map<string, number[]>()
  for (const { crop, counts } of parts.flat()) {
    const sum = sums.get(crop)
    if (sum === undefined) sums.set(crop, [...counts])
    else for (const [index, value] of counts.entries()) sum[index] = (sum[index] ?? 0) + value
  }
  return sums
}

const categoryIds: readonly (CategoryId | null)[] = [null, 1, 2, 3]

/** Returns the rows of these counts in the order of `listNearbyWants`. */
function rowsOf(sums: ReadonlyMap<string, readonly number[]>, only: CategoryId | null): NearbyWantRow[] {
  const rows = [...sums].flatMap(([crop, counts]) => {
    const least = crop.startsWith(wordsPrefix) ? 2 : 1
    return categoryIds.flatMap((category_id, index) => {
      const [wanted = 0, offered = 0] = [counts[index], counts[categoryIds.length + index]]
      const isShown = wanted >= least && (only === null || only === category_id)
      return isShown ? [{ crop, category_id, wanted, offered: Math.max(offered, 0) }] : []
    })
  })
  const unmet = ({ wanted, offered }: NearbyWantRow) => Math.max(wanted - offered, 0)
  const place = ({ category_id }: NearbyWantRow) => category_id ?? Infinity
  const order = (one: NearbyWantRow, other: NearbyWantRow) =>
    unmet(other) - unmet(one) ||
    other.wanted - one.wanted ||
    (one.crop < other.crop ? -1 : Number(one.crop > other.crop)) ||
    place(one) - place(other)
  return rows.toSorted(order).slice(0, limits.page.max)
}
