import { expect, test } from 'vitest'
import { editDistance, SpellingIndex } from './spelling-index.ts'

const index = new SpellingIndex([
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
])('corrects %s to %s', (typo, word) => {
  expect(index.guesses(typo)[0]?.word).toBe(word)
})

test.each(['leak', 'lek', 'potato', 'xylophone', 'лук', ''])('does not correct %j', (word) => {
  expect(index.guesses(word)).toEqual([])
})

test.each([
  ['kale', 'kale', 0],
  ['kael', 'kale', 1],
  ['kal', 'kale', 1],
  ['', 'kale', 4],
  ['leek', 'kale', 4],
  ['rhubarb', 'rhubarb'.repeat(5), 28],
])('the edit distance from %j to %s is %i', (a, b, count) => {
  expect(editDistance(a, b)).toBe(count)
})
