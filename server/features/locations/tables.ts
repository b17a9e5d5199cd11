import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** Known locations by their ids. */
export interface LocationTable {
  readonly ids: readonly number[]
  /** The coordinates of each location on a unit sphere: three numbers by index. */
  readonly unitVectors: readonly number[]
  /** The country of each location by index. */
  readonly countries: readonly string[]
  /** The name of each location by index; empty in the US. */
  readonly names: readonly string[]
  readonly indexOf: ReadonlyMap<number, number>
}

/** US postal codes have their number as id. The ids of other locations are above. */
const firstOtherId = 100_000
/** The ids of towns are their GeoNames ids above this number. */
const townsFrom = 1_000_000
/** The ids of the postal codes of other countries are above these numbers. */
const codesFrom = { CA: 30_000_000, AU: 31_000_000 } as const
/** A number above all ids. */
export const aboveAllIds = 2 ** 25

/** Returns whether an id is of a US postal code, known or not. */
export function isInUnitedStates(id: number): boolean {
  return id < firstOtherId
}

type CodeCountry = keyof typeof codesFrom

export function hasPostalCodes(country: string): country is CodeCountry {
  return Object.hasOwn(codesFrom, country)
}

/** Returns the id of a postal code in its normal form, such as `M5V` or `3000`, whether or not it is known. */
export function postalCodeIdIn(country: CodeCountry, code: string): number {
  return codesFrom[country] + Number.parseInt(code, country === 'CA' ? 36 : 10)
}

function read(file: string): string {
  const bytes = readFileSync(join(import.meta.dirname, file))
  return (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString()
}

function linesOf(file: string): string[] {
  return read(file).trimEnd().split('\n')
}

interface Location {
  readonly id: number
  readonly name: string
  readonly country: string
  readonly latitude: number
  readonly longitude: number
}

function toTable(locations: readonly Location[]): LocationTable {
  return {
    ids: locations.map(({ id }) => id),
    unitVectors: locations.flatMap(({ latitude, longitude }) => {
      const [phi, lambda] = [radians(latitude), radians(longitude)]
      return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
    }),
    countries: locations.map(({ country }) => country),
    names: locations.map(({ name }) => name),
    indexOf: new Map(locations.map(({ id }, index) => [id, index])),
  }
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** Reads a file with postal codes, latitudes and longitudes. The codes of the US are their own ids. */
function readCodes(country: string, file: string, idOf: (code: string) => number): Location[] {
  return linesOf(file).map((line) => {
    const [code = '', latitude, longitude] = line.split(',')
    const name = country === 'US' ? '' : code
    return { id: idOf(code), name, country, latitude: Number(latitude), longitude: Number(longitude) }
  })
}

interface Town extends Location {
  /** The code and the name of its region. */
  readonly region: readonly string[]
  readonly population: number
  readonly names: readonly string[]
}

function townOf(line: string): Town {
  const [country = '', id, latitude, longitude, region = '', population, names = ''] = line.split('\t')
  const all = names.split('|')
  return {
    id: townsFrom + Number(id),
    name: all[0] ?? '',
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    region: region.split('|'),
    population: Number(population),
    names: all,
  }
}

/** Returns the towns of a country. */
export function readTowns(country: string): Town[] {
  return linesOf('towns.tsv.br')
    .filter((line) => line.startsWith(`${country}\t`))
    .map(townOf)
}

let unitedStates: LocationTable | undefined
let otherCountries: LocationTable | undefined

/** Returns the table that has a location, if it is known. Reads the files at the first use of the table. */
export function tableWith(id: number): LocationTable {
  if (isInUnitedStates(id)) {
    unitedStates ??= toTable(readCodes('US', 'us-postal-codes.csv', Number))
    return unitedStates
  }
  otherCountries ??= toTable([
    ...linesOf('towns.tsv.br').map(townOf),
    ...readCodes('CA', 'ca-postal-codes.csv', (code) => postalCodeIdIn('CA', code)),
    ...readCodes('AU', 'au-postal-codes.csv', (code) => postalCodeIdIn('AU', code)),
  ])
  return otherCountries
}
