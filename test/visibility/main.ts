// `npm run test:visibility-mutations` runs the test of visibility with each mutation, and fails if it misses one. With arguments it runs
// the mutations whose names contain one of them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment } from '../../scripts/setup.mjs'
import { mutations } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..')
const preload = new URL('apply-mutation.ts', import.meta.url).href
const words = process.argv.slice(2)
const names = Object.keys(mutations).filter(
  (name) => words.length === 0 || words.some((word) => name.includes(word)),
)

const missed = names.filter((name) => {
  const isDetected = !passes(name)
  console.log(`${isDetected ? 'detected' : 'MISSED  '}  ${name}`)
  return !isDetected
})
console.log(`${names.length - missed.length} of ${names.length} mutations were detected.`)
process.exitCode = missed.length > 0 ? 1 : 0

/** Returns whether the test passes with a mutation. Throws if it does not run. */
function passes(name: string): boolean {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--bail=1', 'test/visibility/visibility.test.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...environment, NODE_OPTIONS: `--import=${preload}?${encodeURIComponent(name)}`, NO_COLOR: '1' },
    },
  )
  if (status !== 0 && !/AssertionError|Property failed/.test(stdout + stderr))
    throw new Error(stdout + stderr)
  return status === 0
}
