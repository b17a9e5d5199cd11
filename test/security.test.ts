import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8')

test('docs/security.md names existing tests only', () => {
  const named = new Set(page.match(/[\w./-]+\.(?:test|spec|long)\.tsx?/g))
  expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([])
})
