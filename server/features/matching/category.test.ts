import { expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import { guessCategory } from './category.ts'

const { produce, seeds, plants } = categories

test.each([
  ['Courgettes', produce],
  ['Sungold tomatoes, ripe', produce],
  ['Garlic bulbs', produce],
  ['Basil', produce],
  ['Apples', produce],
  ['Tomato seeds', seeds],
  ['Semillas de tomate', seeds],
  ['A packet of sunflower seed', seeds],
  ['Tomato starts', plants],
  ['Strawberry runners', plants],
  ['Rhubarb crowns, three', plants],
  ['Monstera', plants],
  ['Tulip bulbs', plants],
  ['Fig tree', plants],
  ['Tomato cages', null],
  ['Compost', null],
  ['Seed trays', null],
  ['Something wonderful', undefined],
])('%s is in category %j', (title, category) => {
  expect(guessCategory(title)).toBe(category)
})
