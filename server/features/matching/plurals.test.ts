import { expect, test } from 'vitest'
import { foreignPlurals, singular, singulars } from './plurals.ts'

test.each([
  ['tomatoes', 'tomato'],
  ['peaches', 'peach'],
  ['berries', 'berry'],
  ['leaves', 'leaf'],
  ['chives', 'chive'],
  ['cacti', 'cactus'],
  ['asparagus', 'asparagus'],
  ['cress', 'cress'],
  ['iris', 'iris'],
  ['peas', 'pea'],
  ['figs', 'fig'],
  ['kale', 'kale'],
])('the singular of %s is %s', (plural, expected) => {
  expect(singular(plural)).toBe(expected)
})

test.each([
  ['chilies', 'chili'],
  ['irises', 'iris'],
  ['aloes', 'aloe'],
  ['gladioli', 'gladiolus'],
  ['potatos', 'potato'],
])('%s may be the plural of %s', (plural, expected) => {
  expect(singulars(plural)).toContain(expected)
})

test.each([
  ['de', 'Zwetschge', 'zwetschgen'],
  ['de', 'Kartoffel', 'kartoffeln'],
  ['nl', 'wortel', 'wortelen'],
  ['it', 'arancia', 'arance'],
  ['it', 'albicocca', 'albicocche'],
  ['it', 'ravanello', 'ravanelli'],
])('in %s, the plural of %s is %s', (language, singularForm, plural) => {
  expect(foreignPlurals(singularForm, language)).toContain(plural)
})
