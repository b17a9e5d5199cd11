import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edited, type Mutation } from './apply-edits.ts'
import { englishOnly } from './fault-injection/english-only.ts'
import { mutations as faultInjection } from './fault-injection/mutations.ts'
import { mutations as notifications } from './notifications/mutations.ts'
import type { TestedMutation } from './run-mutations.ts'
import { mutations as visibility } from './visibility/mutations.ts'

const path = (file: string) => join(import.meta.dirname, '..', file)

const tested: readonly [string, TestedMutation][] = [visibility, notifications].flatMap(Object.entries)
const all: readonly [string, Mutation][] = [
  ['English texts', englishOnly],
  ...Object.entries(faultInjection),
  ...tested,
]

test.each(all)('%s: each edit matches its file once', (_, mutation) => {
  const source = readFileSync(path(mutation.file), 'utf8')
  expect(edited(source, mutation)).not.toBe(source)
})

test.each(tested)('%s: the tests that must detect it exist', (_, { tests }) => {
  expect(tests.map(path).filter((file) => !existsSync(file))).toEqual([])
})
