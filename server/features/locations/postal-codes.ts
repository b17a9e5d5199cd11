import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type DistanceBand, distanceBands } from '#contract/constants.ts'

/** A location is known as a postal code of the United States. Its id is its number; this one stands for any other. */
export const unknownLocation = 0

interface Table {
  /** Degrees by code; NaN where there is no such postcode. */
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
  /** Where each code is on a globe of radius 1: three numbers a code. */
  readonly globe: Float64Array
  /** The codes in each square of one degree. */
  readonly squares: ReadonlyMap<number, readonly number[]>
  readonly all: readonly number[]
}

let table: Table | undefined

/** `us-postcodes.csv` says postcode, latitude and longitude; it is read when somebody first asks. */
function known(): Table {
  if (table) return table
  const latitudes = new Float64Array(100_000).fill(Number.NaN)
  const longitudes = new Float64Array(100_000).fill(Number.NaN)
  const globe = new Float64Array(300_000).fill(Number.NaN)
  const squares = new Map<number, number[]>()
  const all: number[] = []
  const text = readFileSync(join(import.meta.dirname, 'us-postcodes.csv'), 'utf8')
  for (const line of text.trimEnd().split('\n')) {
    const [code = 0, latitude = 0, longitude = 0] = line.split(',').map(Number)
    const [up, around] = [radians(latitude), radians(longitude)]
    latitudes[code] = latitude
    longitudes[code] = longitude
    globe.set([Math.cos(up) * Math.cos(around), Math.cos(up) * Math.sin(around), Math.sin(up)], code * 3)
    all.push(code)
    const square = squareOf(latitude, longitude)
    const others = squares.get(square)
    if (others) others.push(code)
    else squares.set(square, [code])
  }
  table = { latitudes, longitudes, globe, squares, all }
  return table
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function squareOf(latitude: number, longitude: number): number {
  const column = (((Math.floor(longitude) + 180) % 360) + 360) % 360
  return (Math.floor(latitude) + 90) * 360 + column
}

function isKnown(code: number): boolean {
  return !Number.isNaN(known().latitudes[code] ?? Number.NaN)
}

/** The id of what a member has typed as their postal code: the number of its first five digits. */
export function postalCodeId(postcode: string | null | undefined): number {
  if (!postcode) return unknownLocation
  const digits = /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(postcode)?.[1]
  return digits !== undefined && isKnown(Number(digits)) ? Number(digits) : unknownLocation
}

const earthRadiusMiles = 3958.8
const milesADegree = (earthRadiusMiles * Math.PI) / 180

/** The distance between the middles of two postal codes, to a thousandth of a mile; infinite where one is not known. */
export function milesBetween(one: number, other: number): number {
  const { globe } = known()
  const x = (globe[one * 3] ?? NaN) - (globe[other * 3] ?? NaN)
  const y = (globe[one * 3 + 1] ?? NaN) - (globe[other * 3 + 1] ?? NaN)
  const z = (globe[one * 3 + 2] ?? NaN) - (globe[other * 3 + 2] ?? NaN)
  const chord = Math.sqrt(x * x + y * y + z * z)
  const miles = 2 * earthRadiusMiles * Math.asin(Math.min(1, chord / 2))
  return Number.isNaN(miles) ? Infinity : Math.round(miles * 1000) / 1000
}

/** The narrowest band that holds the distance; null further out, and where a code is not known. */
export function bandBetween(one: number, other: number): DistanceBand | null {
  const miles = milesBetween(one, other)
  return distanceBands.find((band) => miles <= band) ?? null
}

/** The known among some codes, the nearest first; those as far away as each other by their number. */
export function byDistance(from: number, codes: readonly number[]): number[] {
  return sorted(codes.filter(isKnown).map((code) => ranked(code, milesBetween(from, code))))
}

const aboveAllCodes = 131_072

/** Distance and code as one number, as numbers by themselves are sorted ten times as fast as by a comparison. */
function ranked(code: number, miles: number): number {
  return Math.round(miles * 1000) * aboveAllCodes + code
}

function sorted(ranks: readonly number[]): number[] {
  return Array.from(Float64Array.from(ranks).sort(), (rank) => rank % aboveAllCodes)
}

/** The cache's size, in postal codes. */
const areas = new LRUCache<string, readonly number[]>({
  maxSize: 2_000_000,
  sizeCalculation: (codes) => codes.length + 10,
})

/** The codes at most so many miles away, the nearest first; remembered for the next who asks from there. */
export function postalCodesWithin(from: number, miles: number): readonly number[] {
  const area = `${from} ${miles}`
  const known = areas.get(area)
  if (known) return known
  const codes = within(from, miles)
  areas.set(area, codes)
  return codes
}

/** Every known postal code, the nearest first. */
export function allPostalCodes(from: number): number[] {
  return within(from, Infinity)
}

const maxNearest = 2048
const nearest = new LRUCache<number, readonly number[]>({ max: 1000 })

/** The two thousand nearest postal codes, the nearest first; cached, since far out it takes milliseconds to find them. */
export function nearestPostalCodes(from: number): readonly number[] {
  const known = nearest.get(from)
  if (known) return known
  const enough = [50, 200, 800].map((miles) => within(from, miles)).find(({ length }) => length >= maxNearest)
  const codes = (enough ?? allPostalCodes(from)).slice(0, maxNearest)
  nearest.set(from, codes)
  return codes
}

/** The postal codes at most so many miles away, the nearest first. */
function within(from: number, miles: number): number[] {
  const ranks: number[] = []
  for (const code of codesAround(from, miles)) {
    const distance = milesBetween(from, code)
    if (distance <= miles) ranks.push(ranked(code, distance))
  }
  return sorted(ranks)
}

/** All codes of the squares that a circle touches. */
function codesAround(from: number, miles: number): readonly number[] {
  const { latitudes, longitudes, squares, all } = known()
  const [latitude = 0, longitude = 0] = [latitudes[from], longitudes[from]]
  const up = miles / milesADegree
  const furthest = Math.abs(latitude) + up
  const aside = up / Math.cos(radians(furthest))
  if (furthest >= 85 || aside >= 90) return all
  const found: number[] = []
  for (let row = Math.floor(latitude - up); row <= latitude + up; row += 1) {
    for (let column = Math.floor(longitude - aside); column <= longitude + aside; column += 1)
      found.push(...(squares.get(squareOf(row, column)) ?? []))
  }
  return found
}
