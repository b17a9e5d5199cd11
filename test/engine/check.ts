// Compares the PostgreSQL features that the statements of the last run of all API tests used with the list in features.txt, and checks
// that they read and change messages and threads as a cluster allows.
// `npm test` runs it. `npm run engine-features -- --write` writes the list instead.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { distributionFaults } from './distribution.ts'
import { featuresOf, kindOf } from './features.ts'
import { readStatements } from './statements.ts'

const file = join(import.meta.dirname, 'features.txt')

/** Features that only pg-boss uses. It runs some statements by time, so a run may lack them. */
const ofPgBoss = ' (pg-boss)'

/** Returns whether pg-boss sent a statement. Its schema is `jobs`, and it names its locks and channels by this hash. */
const isOfPgBoss = (statement: string) => /\bjobs\.|sha224\(|pg_listening_channels/.test(statement)

/** Features that only statements of the tests themselves use. */
const ofTests = new Set([
  ...['lock', 'function concat_ws', 'function md5', 'function sha256', 'function string_agg'],
  ...['function pg_backend_pid', 'function pg_sleep', 'function pg_terminate_backend'],
])

/** A comment in statements of the tests that do what a cluster can not. */
const ofTest = '/* test */'

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const listed = new Set((await readFile(file, 'utf8')).split('\n').filter((line) => line !== ''))
const used = await featuresInUse()
const unused = [...listed].filter((line) => !line.endsWith(ofPgBoss) && !used.has(line))

if (options.write) {
  const kept = [...listed].filter(
    (line) => line.endsWith(ofPgBoss) && !used.has(line.slice(0, -ofPgBoss.length)),
  )
  await writeFile(file, `${[...new Set([...used.keys(), ...kept])].sort().join('\n')}\n`)
} else {
  for (const [feature, statement] of used)
    if (!listed.has(feature)) fail(`The list lacks “${feature}”, which this statement uses:\n${statement}`)
  for (const feature of unused) fail(`No statement uses “${feature}”.`)
  if (process.exitCode)
    fail('If this is right, run npm run engine-features -- --write and adapt docs/scaling.md.')
}

for (const statement of (await readStatements()).others)
  if (!statement.includes(ofTest))
    for (const fault of await distributionFaults(statement))
      fail(`A cluster can not run this statement well, because it ${fault} (decision 0065):\n${statement}`)

function fail(line: string) {
  console.error(line)
  process.exitCode = 1
}

/** Returns a statement for each line of the list. */
async function featuresInUse(): Promise<Map<string, string>> {
  const { migrations, others } = await readStatements()
  const used = new Map<string, string>()
  const add = async (statement: string) => {
    for (const feature of await featuresOf(statement))
      if (!ofTests.has(feature))
        used.set(isOfPgBoss(statement) ? `${feature}${ofPgBoss}` : feature, statement)
  }
  for (const statement of migrations) if ((await kindOf(statement)) !== 'catalog') await add(statement)
  for (const statement of others) if ((await kindOf(statement)) === 'data') await add(statement)
  for (const line of used.keys()) used.delete(`${line}${ofPgBoss}`)
  return used
}
