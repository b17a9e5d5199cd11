import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment } from '../scripts/setup.mjs'
import type { Mutation } from './apply-edits.ts'

const root = join(import.meta.dirname, '..')

/** A mutation with the files of the tests that must detect it. */
export interface TestedMutation extends Mutation {
  readonly tests: readonly string[]
}

/** Runs the tests of each mutation whose name contains an argument of the command, by default of all. Returns the exit code: 1 if the tests miss one. */
export function runMutations(mutations: Readonly<Record<string, TestedMutation>>): number {
  const words = process.argv.slice(2)
  const chosen = Object.entries(mutations).filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  const missed = chosen.filter(([name, mutation]) => {
    const isDetected = !passes(mutation)
    console.log(`${isDetected ? 'detected' : 'MISSED  '}  ${name}`)
    return !isDetected
  })
  console.log(`${chosen.length - missed.length} of ${chosen.length} mutations were detected.`)
  return missed.length > 0 ? 1 : 0
}

/** Returns whether the tests pass with a mutation. Throws if they do not run. */
function passes({ file, edits, tests }: TestedMutation): boolean {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const preload = new URL('apply-mutation.ts', import.meta.url)
  preload.search = encodeURIComponent(JSON.stringify({ file, edits }))
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--bail=1', ...tests], {
    cwd: root,
    encoding: 'utf8',
    env: { ...environment, NODE_OPTIONS: `--import=${preload}`, NO_COLOR: '1' },
  })
  if (status !== 0 && !/AssertionError|Property failed/.test(stdout + stderr))
    throw new Error(stdout + stderr)
  return status === 0
}
