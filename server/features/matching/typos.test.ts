import { expect, test } from 'vitest'
import { editDistance, Typos } from './typos.ts'

const typos = new Typos([
  'zucchini',
  'broccoli',
  'thyme',
  'kale',
  'leek',
  'tomato',
  'tomatillo',
  'rosemary',
  'chrysanthemum',
])

test.each([
  ['brocolli', 'broccoli'],
  ['zuchinni', 'zucchini'],
  ['rosmary', 'rosemary'],
  ['crysanthamum', 'chrysanthemum'],
  ['tyme', 'thyme'],
  ['kael', 'kale'],
  ['tomaot', 'tomato'],
])('%s is %s', (typo, word) => {
  expect(typos.guesses(typo)[0]?.word).toBe(word)
})

test.each(['leak', 'lek', 'potato', 'xylophone', 'лук', ''])('%s is no slip', (word) => {
  expect(typos.guesses(word)).toEqual([])
})

test.each([
  ['kale', 'kale', 0],
  ['kael', 'kale', 1],
  ['kal', 'kale', 1],
  ['', 'kale', 4],
  ['leek', 'kale', 4],
])('from %s to %s has an edit distance of %i', (a, b, count) => {
  expect(editDistance(a, b)).toBe(count)
})
