import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type DistanceBand, distanceBands } from '#contract/constants.ts'

/** A place is a postcode of the United States as a number; `nowhere` is one that is not known. */
export const nowhere = 0

interface Table {
  /** Degrees by place; NaN where there is no such postcode. */
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
  /** Where each place is on a globe of radius 1: three numbers a place. */
  readonly globe: Float64Array
  /** The places in each square of one degree. */
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
    const [place = 0, latitude = 0, longitude = 0] = line.split(',').map(Number)
    const [up, around] = [radians(latitude), radians(longitude)]
    latitudes[place] = latitude
    longitudes[place] = longitude
    globe.set([Math.cos(up) * Math.cos(around), Math.cos(up) * Math.sin(around), Math.sin(up)], place * 3)
    all.push(place)
    const square = squareOf(latitude, longitude)
    const others = squares.get(square)
    if (others) others.push(place)
    else squares.set(square, [place])
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

/** The distance between the middles of two postcodes, to a thousandth of a mile; infinite where one is not known. */
export function milesBetween(one: number, other: number): number {
  const { globe } = known()
  const x = (globe[one * 3] ?? NaN) - (globe[other * 3] ?? NaN)
  const y = (globe[one * 3 + 1] ?? NaN) - (globe[other * 3 + 1] ?? NaN)
  const z = (globe[one * 3 + 2] ?? NaN) - (globe[other * 3 + 2] ?? NaN)
  const chord = Math.sqrt(x * x + y * y + z * z)
  const miles = 2 * earthRadiusMiles * Math.asin(Math.min(1, chord / 2))
  return Number.isNaN(miles) ? Infinity : Math.round(miles * 1000) / 1000
}

/** The narrowest band that holds the distance; null further out, and where a place is not known. */
export function bandBetween(one: number, other: number): DistanceBand | null {
  const miles = milesBetween(one, other)
  return distanceBands.find((band) => miles <= band) ?? null
}

/** The known among some places, the nearest first; those as far away as each other by their number. */
export function byDistance(from: number, places: readonly number[]): number[] {
  return sorted(places.filter(isKnown).map((place) => ranked(place, milesBetween(from, place))))
}

const aboveAllPlaces = 131_072

/** Distance and place as one number, as numbers by themselves are sorted ten times as fast as by a comparison. */
function ranked(place: number, miles: number): number {
  return Math.round(miles * 1000) * aboveAllPlaces + place
}

function sorted(ranks: readonly number[]): number[] {
  return Array.from(Float64Array.from(ranks).sort(), (rank) => rank % aboveAllPlaces)
}

/** So many places are remembered in all. */
const areas = new LRUCache<string, readonly number[]>({
  maxSize: 2_000_000,
  sizeCalculation: (places) => places.length + 10,
})

/** The places at most so many miles away, the nearest first; remembered for the next who asks from there. */
export function placesWithin(from: number, miles: number): readonly number[] {
  const area = `${from} ${miles}`
  const known = areas.get(area)
  if (known) return known
  const places = ring(from, -1, miles)
  areas.set(area, places)
  return places
}

/** Every known place, the nearest first, in parts that grow: whoever needs few has little sorted. `onFrom` is where to begin. */
export function* placesOutward(from: number, onFrom = from): Generator<number[]> {
  const start = milesBetween(from, onFrom)
  let inner = -1
  for (const outer of [25, 50, 100, 200, 400, 800, 1600, Infinity]) {
    if (start <= outer) {
      const places = ring(from, inner, outer)
      yield places.slice(inner < start ? Math.max(0, places.indexOf(onFrom)) : 0)
    }
    inner = outer
  }
}

const mostNearest = 2048
const remembered = new LRUCache<number, readonly number[]>({ max: 1000 })

/** The two thousand nearest places, remembered for the next who asks from there: far out it takes milliseconds to find them. */
export function nearestPlaces(from: number): readonly number[] {
  const known = remembered.get(from)
  if (known) return known
  const places: number[] = []
  for (const part of placesOutward(from)) {
    places.push(...part.slice(0, mostNearest - places.length))
    if (places.length === mostNearest) break
  }
  remembered.set(from, places)
  return places
}

/** The places further away than `inner` miles and at most `outer`, the nearest first. */
function ring(from: number, inner: number, outer: number): number[] {
  const ranks: number[] = []
  for (const place of placesAround(from, outer)) {
    const miles = milesBetween(from, place)
    if (miles > inner && miles <= outer) ranks.push(ranked(place, miles))
  }
  return sorted(ranks)
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
