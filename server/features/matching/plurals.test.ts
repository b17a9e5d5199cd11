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
])('the singular of %s is %s', (plural, one) => {
  expect(singular(plural)).toBe(one)
})

test.each([
  ['chilies', 'chili'],
  ['irises', 'iris'],
  ['aloes', 'aloe'],
  ['gladioli', 'gladiolus'],
  ['potatos', 'potato'],
])('%s may be the plural of %s', (plural, one) => {
  expect(singulars(plural)).toContain(one)
})

test.each([
  ['de', 'Zwetschge', 'zwetschgen'],
  ['de', 'Kartoffel', 'kartoffeln'],
  ['nl', 'wortel', 'wortelen'],
  ['it', 'arancia', 'arance'],
  ['it', 'albicocca', 'albicocche'],
  ['it', 'ravanello', 'ravanelli'],
])('in %s, %s is %s where there are more', (language, one, more) => {
  expect(foreignPlurals(one, language)).toContain(more)
})
