import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { distanceBands } from '#contract/constants.ts'
import { byDistance, postalCodesWithin } from './postal-codes.ts'
import { isInUnitedStates, tableWith } from './tables.ts'

/** A place on the map that is larger than a postal code: a county in the US, and in other countries the location itself. */
export interface LocationArea {
  /** The FIPS code of a county, or the id of the location. */
  readonly id: number
  readonly name: string
}

interface County extends LocationArea {
  readonly codes: readonly number[]
}

let counties: ReadonlyMap<number, County> | undefined
let countiesByCode: ReadonlyMap<number, County> | undefined

/** Returns the counties of the US by id. Reads the file at the first use. */
function readCounties(): ReadonlyMap<number, County> {
  counties ??= new Map(
    readFileSync(join(import.meta.dirname, 'us-counties.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [id, name = '', codes = ''] = line.split(',')
        return [Number(id), { id: Number(id), name, codes: codes.split(' ').map(Number) }]
      }),
  )
  return counties
}

/** Returns the area of a known location. */
export function areaOf(location: number): LocationArea | undefined {
  if (isInUnitedStates(location)) {
    countiesByCode ??= new Map(
      [...readCounties().values()].flatMap((county) =>
        county.codes.map((code): [number, County] => [code, county]),
      ),
    )
    return countiesByCode.get(location)
  }
  const { indexOf, names } = tableWith(location)
  const index = indexOf.get(location)
  return index === undefined ? undefined : { id: location, name: names[index] ?? '' }
}

/** Returns the locations of an area. None if it is unknown. */
export function locationsOfArea(area: number): readonly number[] {
  if (isInUnitedStates(area)) return readCounties().get(area)?.codes ?? []
  return tableWith(area).indexOf.has(area) ? [area] : []
}

const widestBand = Math.max(...distanceBands)
const around = new LRUCache<number, readonly number[]>({ max: 500, memoMethod: findLocationsAround })

/** Returns all locations of the areas that the widest band touches, nearest first. Results are cached. */
export function locationsAround(from: number): readonly number[] {
  return around.memo(from)
}

function findLocationsAround(from: number): readonly number[] {
  const areas = new Set(postalCodesWithin(from, widestBand).map((location) => areaOf(location)?.id ?? 0))
  return byDistance(from, [...areas].flatMap(locationsOfArea))
}
