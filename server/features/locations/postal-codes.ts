import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type DistanceBand, distanceBands } from '#contract/constants.ts'

/** The id of unknown locations. Other locations are US postal codes, whose id is their number. */
export const unknownLocation = 0

interface Table {
  /** The latitudes in degrees by code; NaN for unknown codes. */
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
  /** The coordinates of each code on a unit sphere: three numbers per code. */
  readonly unitVectors: Float64Array
  /** The codes by square of one degree. */
  readonly squares: ReadonlyMap<number, readonly number[]>
  readonly all: readonly number[]
}

let table: Table | undefined

/** Returns the table of `us-postal-codes.csv` (postal code, latitude, longitude). Reads the file on the first call. */
function loadTable(): Table {
  if (table) return table
  const latitudes = new Float64Array(100_000).fill(Number.NaN)
  const longitudes = new Float64Array(100_000).fill(Number.NaN)
  const unitVectors = new Float64Array(300_000).fill(Number.NaN)
  const squares = new Map<number, number[]>()
  const all: number[] = []
  const text = readFileSync(join(import.meta.dirname, 'us-postal-codes.csv'), 'utf8')
  for (const line of text.trimEnd().split('\n')) {
    const [code = 0, latitude = 0, longitude = 0] = line.split(',').map(Number)
    const [phi, lambda] = [radians(latitude), radians(longitude)]
    latitudes[code] = latitude
    longitudes[code] = longitude
    unitVectors.set(
      [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)],
      code * 3,
    )
    all.push(code)
    const square = squareOf(latitude, longitude)
    const others = squares.get(square)
    if (others) others.push(code)
    else squares.set(square, [code])
  }
  table = { latitudes, longitudes, unitVectors, squares, all }
  return table
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** Returns the number of the one-degree square that contains a point. */
function squareOf(latitude: number, longitude: number): number {
  const column = (((Math.floor(longitude) + 180) % 360) + 360) % 360
  return (Math.floor(latitude) + 90) * 360 + column
}

function isKnown(code: number): boolean {
  return !Number.isNaN(loadTable().latitudes[code] ?? Number.NaN)
}

/** Returns the id of an entered postal code: the number of its first five digits, or `unknownLocation`. */
export function postalCodeId(postcode: string | null | undefined): number {
  if (!postcode) return unknownLocation
  const digits = /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(postcode)?.[1]
  return digits !== undefined && isKnown(Number(digits)) ? Number(digits) : unknownLocation
}

const earthRadiusMiles = 3958.8
const milesPerDegree = (earthRadiusMiles * Math.PI) / 180

/** Returns the distance of two postal codes to a thousandth of a mile; Infinity if one is unknown. */
export function milesBetween(one: number, other: number): number {
  const { unitVectors } = loadTable()
  const x = (unitVectors[one * 3] ?? NaN) - (unitVectors[other * 3] ?? NaN)
  const y = (unitVectors[one * 3 + 1] ?? NaN) - (unitVectors[other * 3 + 1] ?? NaN)
  const z = (unitVectors[one * 3 + 2] ?? NaN) - (unitVectors[other * 3 + 2] ?? NaN)
  const chord = Math.sqrt(x * x + y * y + z * z)
  const miles = 2 * earthRadiusMiles * Math.asin(Math.min(1, chord / 2))
  return Number.isNaN(miles) ? Infinity : Math.round(miles * 1000) / 1000
}

/** Returns the narrowest band that contains the distance; null if it is larger or a code is unknown. */
export function bandBetween(one: number, other: number): DistanceBand | null {
  const miles = milesBetween(one, other)
  return distanceBands.find((band) => miles <= band) ?? null
}

/** Returns the known ones of the codes, nearest first, then by number. `from` must be known. */
export function byDistance(from: number, codes: readonly number[]): number[] {
  return codesOf(codes.filter(isKnown).map((code) => rankOf(code, milesBetween(from, code))))
}

/** A number above all codes. */
const aboveAllCodes = 131_072

/** Combines distance and code in one number, because numbers in a typed array are sorted much faster than with a comparator. */
function rankOf(code: number, miles: number): number {
  return Math.round(miles * 1000) * aboveAllCodes + code
}

/** Returns the codes of ranks, nearest first. */
function codesOf(ranks: readonly number[]): number[] {
  return Array.from(Float64Array.from(ranks).sort(), (rank) => rank % aboveAllCodes)
}

/** Caches the codes within a distance. Limited by the total number of cached codes. */
const areas = new LRUCache<string, readonly number[]>({
  maxSize: 2_000_000,
  sizeCalculation: (codes) => codes.length + 10,
})

/** Returns the postal codes within a distance, nearest first. Results are cached. */
export function postalCodesWithin(from: number, miles: number): readonly number[] {
  const area = `${from} ${miles}`
  const cached = areas.get(area)
  if (cached) return cached
  const codes = within(from, miles)
  areas.set(area, codes)
  return codes
}

/** Returns all postal codes, nearest first. */
export function allPostalCodes(from: number): number[] {
  return within(from, Infinity)
}

const maxNearest = 2048
const nearest = new LRUCache<number, readonly number[]>({ max: 1000 })

/** Returns the 2,048 nearest postal codes, nearest first. Results are cached, because sparse areas take milliseconds. */
export function nearestPostalCodes(from: number): readonly number[] {
  const cached = nearest.get(from)
  if (cached) return cached
  const enough = [50, 200, 800].map((miles) => within(from, miles)).find(({ length }) => length >= maxNearest)
  const codes = (enough ?? allPostalCodes(from)).slice(0, maxNearest)
  nearest.set(from, codes)
  return codes
}

/** Returns the postal codes within a distance, nearest first. */
function within(from: number, miles: number): number[] {
  const ranks: number[] = []
  for (const code of codesAround(from, miles)) {
    const distance = milesBetween(from, code)
    if (distance <= miles) ranks.push(rankOf(code, distance))
  }
  return codesOf(ranks)
}

/** Returns all codes of the squares that a circle touches. */
function codesAround(from: number, miles: number): readonly number[] {
  const { latitudes, longitudes, squares, all } = loadTable()
  const [latitude = 0, longitude = 0] = [latitudes[from], longitudes[from]]
  const latitudeRange = miles / milesPerDegree
  const maxLatitude = Math.abs(latitude) + latitudeRange
  const longitudeRange = latitudeRange / Math.cos(radians(maxLatitude))
  if (maxLatitude >= 85 || longitudeRange >= 90) return all
  const codes: number[] = []
  for (let row = Math.floor(latitude - latitudeRange); row <= latitude + latitudeRange; row += 1) {
    for (
      let column = Math.floor(longitude - longitudeRange);
      column <= longitude + longitudeRange;
      column += 1
    )
      codes.push(...(squares.get(squareOf(row, column)) ?? []))
  }
  return codes
}
