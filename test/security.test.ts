import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8')

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const chapters = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

test('every test that docs/security.md names is there', () => {
  const named = new Set(page.match(/[\w./-]+\.(?:test|spec|long)\.tsx?/g))
  expect(named.size).toBeGreaterThan(30)
  expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('docs/security.md speaks of every requirement of ASVS 5.0, once', () => {
  const rows = [...page.matchAll(/^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \|/gm)]
  const named = rows.flatMap(([, numbers = '']) => numbers.split(', '))
  expect(new Set(named).size).toBe(named.length)
  const counted = chapters.map((_, index) => named.filter((one) => one.startsWith(`${index + 1}.`)).length)
  expect(counted).toEqual(chapters)
})
