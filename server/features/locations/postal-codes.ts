import { LRUCache } from 'lru-cache'
import {
  type DistanceBand,
  type DistanceBandKm,
  distanceBands,
  distanceBandsKm,
  milesPerKm,
} from '#contract/constants.ts'
import { aboveAllIds, type LocationTable, tableWith } from './tables.ts'

/** The id of unknown locations. Others are postal codes and towns (`tables.ts`). */
export const unknownLocation = 0

function isKnown(id: number): boolean {
  return tableWith(id).indexOf.has(id)
}

/** Returns the id of an entered US postal code: the number of its first five digits, or `unknownLocation`. */
export function postalCodeId(postcode: string | null | undefined): number {
  if (!postcode) return unknownLocation
  const digits = /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(postcode)?.[1]
  return digits !== undefined && isKnown(Number(digits)) ? Number(digits) : unknownLocation
}

const earthRadiusMiles = 3958.8

/** Returns the straight distance of two locations of a table through the unit sphere, by their indexes. */
function chordBetween({ unitVectors }: LocationTable, one: number, other: number): number {
  const x = (unitVectors[one * 3] ?? NaN) - (unitVectors[other * 3] ?? NaN)
  const y = (unitVectors[one * 3 + 1] ?? NaN) - (unitVectors[other * 3 + 1] ?? NaN)
  const z = (unitVectors[one * 3 + 2] ?? NaN) - (unitVectors[other * 3 + 2] ?? NaN)
  return Math.sqrt(x * x + y * y + z * z)
}

/** Returns the miles of a chord, to a thousandth. */
function milesOf(chord: number): number {
  return Math.round(2 * earthRadiusMiles * Math.asin(Math.min(1, chord / 2)) * 1000) / 1000
}

/** Returns the distance of two locations to a thousandth of a mile; Infinity if one is unknown or in another table. */
export function milesBetween(one: number, other: number): number {
  const table = tableWith(one)
  const [from, to] = [table.indexOf.get(one), table.indexOf.get(other)]
  return from === undefined || to === undefined ? Infinity : milesOf(chordBetween(table, from, to))
}

/** The narrowest bands that contain a distance, in miles and in kilometres. */
export interface Bands {
  readonly within_miles: DistanceBand | null
  readonly within_km: DistanceBandKm | null
}

/** Returns the bands of the distance of two locations; null if it is larger or a location is unknown. */
export function bandsBetween(one: number, other: number): Bands {
  const miles = milesBetween(one, other)
  return {
    within_miles: distanceBands.find((band) => miles <= band) ?? null,
    within_km: distanceBandsKm.find((band) => miles <= band * milesPerKm) ?? null,
  }
}

/** Returns the known ones of the codes, nearest first, then by number. `from` must be known. */
export function byDistance(from: number, codes: readonly number[]): number[] {
  return codesOf(codes.filter(isKnown).map((code) => rankOf(code, milesBetween(from, code))))
}

/** Combines distance and code in one number, because numbers in a typed array are sorted much faster than with a comparator. */
function rankOf(code: number, miles: number): number {
  return Math.round(miles * 1000) * aboveAllIds + code
}

/** Returns the codes of ranks, nearest first. */
function codesOf(ranks: readonly number[]): number[] {
  return Array.from(new Float64Array(ranks).sort(), (rank) => rank % aboveAllIds)
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

/** Returns the locations of the same country within a distance, nearest first. */
function within(from: number, miles: number): number[] {
  const table = tableWith(from)
  const start = table.indexOf.get(from)
  if (start === undefined) return []
  const country = table.countries[start]
  // Chords are faster to compare than miles. The margin is more than the rounding of miles.
  const maxChord = 2 * Math.sin(Math.min(miles / earthRadiusMiles, Math.PI) / 2) + 1e-6
  const ranks: number[] = []
  for (let index = 0; index < table.ids.length; index += 1) {
    if (table.countries[index] !== country) continue
    const chord = chordBetween(table, start, index)
    if (chord > maxChord) continue
    const distance = milesOf(chord)
    if (distance <= miles) ranks.push(rankOf(table.ids[index] ?? 0, distance))
  }
  return codesOf(ranks)
}
