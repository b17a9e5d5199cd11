import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inflected, readLanguages } from './languages.ts'

const languages = readLanguages(join(import.meta.dirname, 'lexicon'))

test.each([
  ['de', 'Zwetschge', 'zwetschgen'],
  ['de', 'Kartoffel', 'kartoffeln'],
  ['nl', 'wortel', 'wortelen'],
  ['it', 'arancia', 'arance'],
  ['it', 'albicocca', 'albicocche'],
  ['it', 'ravanello', 'ravanelli'],
  ['es', 'frijol', 'frijoles'],
  ['es', 'nuez', 'nueces'],
])('in %s, the plural of %s is %s', (code, singular, plural) => {
  const language = languages.find((one) => one.code === code)

  expect(inflected(singular, language?.plurals ?? [])).toContain(plural)
})

test.each([
  ['en', 'sunroom', true],
  ['en', 'zuchini', false],
  ['es', 'maceta', true],
  ['es', 'calabasin', false],
])('in %s, "%s" is a word: %s', (code, word, isWord) => {
  expect(languages.find((one) => one.code === code)?.dictionary?.has(word)).toBe(isWord)
})
