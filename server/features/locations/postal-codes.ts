import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type DistanceBand, distanceBands } from '#contract/constants.ts'

/** The id of unknown locations. Other locations are US postal codes, whose id is their number. */
export const unknownLocation = 0

interface Table {
  /** The coordinates of each code on a unit sphere: three numbers per code, NaN for unknown codes. */
  readonly unitVectors: Float64Array
  readonly all: readonly number[]
}

let table: Table | undefined

/** Returns the table of `us-postal-codes.csv` (postal code, latitude, longitude). Reads the file on the first call. */
function loadTable(): Table {
  if (table) return table
  const unitVectors = new Float64Array(300_000).fill(Number.NaN)
  const all: number[] = []
  const text = readFileSync(join(import.meta.dirname, 'us-postal-codes.csv'), 'utf8')
  for (const line of text.trimEnd().split('\n')) {
    const [code = 0, latitude = 0, longitude = 0] = line.split(',').map(Number)
    const [phi, lambda] = [radians(latitude), radians(longitude)]
    unitVectors.set(
      [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)],
      code * 3,
    )
    all.push(code)
  }
  table = { unitVectors, all }
  return table
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function isKnown(code: number): boolean {
  return !Number.isNaN(loadTable().unitVectors[code * 3] ?? Number.NaN)
}

/** Returns the id of an entered postal code: the number of its first five digits, or `unknownLocation`. */
export function postalCodeId(postcode: string | null | undefined): number {
  if (!postcode) return unknownLocation
  const digits = /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(postcode)?.[1]
  return digits !== undefined && isKnown(Number(digits)) ? Number(digits) : unknownLocation
}

const earthRadiusMiles = 3958.8

/** Returns the straight distance of two postal codes through the unit sphere; NaN if one is unknown. */
function chordBetween(one: number, other: number): number {
  const { unitVectors } = loadTable()
  const x = (unitVectors[one * 3] ?? NaN) - (unitVectors[other * 3] ?? NaN)
  const y = (unitVectors[one * 3 + 1] ?? NaN) - (unitVectors[other * 3 + 1] ?? NaN)
  const z = (unitVectors[one * 3 + 2] ?? NaN) - (unitVectors[other * 3 + 2] ?? NaN)
  return Math.sqrt(x * x + y * y + z * z)
}

/** Returns the distance of two postal codes to a thousandth of a mile; Infinity if one is unknown. */
export function milesBetween(one: number, other: number): number {
  const miles = 2 * earthRadiusMiles * Math.asin(Math.min(1, chordBetween(one, other) / 2))
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
  return Array.from(new Float64Array(ranks).sort(), (rank) => rank % aboveAllCodes)
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
const nearest = new LRUCache<number, readonly number[]>({ max: 1000, memoMethod: findNearest })

/** Returns the 2,048 nearest postal codes, nearest first. Results are cached, because sparse areas take milliseconds. */
export function nearestPostalCodes(from: number): readonly number[] {
  return nearest.memo(from)
}

/** Tries small distances first, because sorting all codes takes longest. */
function findNearest(from: number): number[] {
  for (const miles of [50, 200, 800]) {
    const codes = within(from, miles)
    if (codes.length >= maxNearest) return codes.slice(0, maxNearest)
  }
  return allPostalCodes(from).slice(0, maxNearest)
}

/** Returns the postal codes within a distance, nearest first. */
function within(from: number, miles: number): number[] {
  // Chords are faster to compare than miles. The margin is more than the rounding of miles.
  const maxChord = 2 * Math.sin(Math.min(miles / earthRadiusMiles, Math.PI) / 2) + 1e-6
  const ranks: number[] = []
  for (const code of loadTable().all) {
    if (chordBetween(from, code) > maxChord) continue
    const distance = milesBetween(from, code)
    if (distance <= miles) ranks.push(rankOf(code, distance))
  }
  return codesOf(ranks)
}
