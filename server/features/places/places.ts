import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DistanceBand, distanceBands } from '#contract/constants.ts'

/** A place is a postcode of the United States as a number; `nowhere` is one that is not known. */
export const nowhere = 0

interface Table {
  /** Degrees by place; NaN where there is no such postcode. */
  readonly latitudes: Float32Array
  readonly longitudes: Float32Array
  /** The places in each square of one degree. */
  readonly squares: ReadonlyMap<number, readonly number[]>
  readonly all: readonly number[]
}

let table: Table | undefined

/** `us-postcodes.csv` says postcode, latitude and longitude; it is read when somebody first asks. */
function known(): Table {
  if (table) return table
  const latitudes = new Float32Array(100_000).fill(Number.NaN)
  const longitudes = new Float32Array(100_000).fill(Number.NaN)
  const squares = new Map<number, number[]>()
  const all: number[] = []
  const text = readFileSync(join(import.meta.dirname, 'us-postcodes.csv'), 'utf8')
  for (const line of text.trimEnd().split('\n')) {
    const [place = 0, latitude = 0, longitude = 0] = line.split(',').map(Number)
    latitudes[place] = latitude
    longitudes[place] = longitude
    all.push(place)
    const square = squareOf(latitude, longitude)
    const others = squares.get(square)
    if (others) others.push(place)
    else squares.set(square, [place])
  }
  table = { latitudes, longitudes, squares, all }
  return table
}

function squareOf(latitude: number, longitude: number): number {
  const column = (((Math.floor(longitude) + 180) % 360) + 360) % 360
  return (Math.floor(latitude) + 90) * 360 + column
}

function isKnown(place: number): boolean {
  return !Number.isNaN(known().latitudes[place] ?? Number.NaN)
}

/** The place of what a member has typed as their postcode: its first five digits count. Null when nothing is typed. */
export function placeOf(postcode: string | null | undefined): number | null {
  if (!postcode) return null
  const digits = /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(postcode)?.[1]
  return digits !== undefined && isKnown(Number(digits)) ? Number(digits) : nowhere
}

const earthRadiusMiles = 3958.8
const milesADegree = (earthRadiusMiles * Math.PI) / 180
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The distance between the middles of two postcodes; infinite where one is not known. */
export function milesBetween(one: number, other: number): number {
  const { latitudes, longitudes } = known()
  const [latitude, otherLatitude] = [radians(latitudes[one] ?? NaN), radians(latitudes[other] ?? NaN)]
  const east = radians((longitudes[other] ?? NaN) - (longitudes[one] ?? NaN))
  const chord =
    Math.sin((otherLatitude - latitude) / 2) ** 2 +
    Math.cos(latitude) * Math.cos(otherLatitude) * Math.sin(east / 2) ** 2
  const miles = 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(chord)))
  return Number.isNaN(miles) ? Infinity : miles
}

/** The narrowest band that holds the distance; null further out, and where a place is not known. */
export function bandBetween(one: number, other: number): DistanceBand | null {
  const miles = milesBetween(one, other)
  return distanceBands.find((band) => miles <= band) ?? null
}

/** Known places by their distance, the nearest first; those as far away as each other by their number. */
export function byDistance(from: number, places: readonly number[]): number[] {
  return sorted(places.map((place) => ({ place, miles: milesBetween(from, place) })))
}

function sorted(measured: { place: number; miles: number }[]): number[] {
  return measured.sort((a, b) => a.miles - b.miles || a.place - b.place).map(({ place }) => place)
}

/** The places at most so many miles away, the nearest first. */
export function placesWithin(from: number, miles: number): number[] {
  return ring(from, -1, miles)
}

/** Every known place, the nearest first, in parts that grow: whoever needs few has little sorted. `onFrom` is where to begin. */
export function* placesOutward(from: number, onFrom = from): Generator<number[]> {
  const start = milesBetween(from, onFrom)
  let inner = -1
  for (const outer of [25, 100, 400, Infinity]) {
    if (start <= outer) {
      const places = ring(from, inner, outer)
      yield places.slice(inner < start ? Math.max(0, places.indexOf(onFrom)) : 0)
    }
    inner = outer
  }
}

/** The places further away than `inner` miles and at most `outer`, the nearest first. */
function ring(from: number, inner: number, outer: number): number[] {
  const measured = []
  for (const place of placesAround(from, outer)) {
    const miles = milesBetween(from, place)
    if (miles > inner && miles <= outer) measured.push({ place, miles })
  }
  return sorted(measured)
}

/** All places of the squares that a circle touches. */
function placesAround(from: number, miles: number): readonly number[] {
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
