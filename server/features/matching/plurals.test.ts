import { expect, test } from 'vitest'
import { singular, singulars } from './plurals.ts'

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
  ['limones', 'limon'],
  ['nueces', 'nuez'],
])('%s may be the plural of %s', (plural, expected) => {
  expect(singulars(plural)).toContain(expected)
})
