import { expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import { drawingOf } from './drawing.ts'

const { produce, seeds, plants } = categories

test.each([
  ['Cherokee Purple tomatoes', produce, 'tomato'],
  ['Rhubarb crowns, three', plants, 'rhubarb'],
  ['Courgettes, more than enough', produce, 'zucchini'],
  ['CHILIES, three kinds', produce, 'chilli'],
  ['Jalapeños', produce, 'chilli'],
  ['Strawberries and rhubarb', produce, 'strawberry'],
  ['Yukon Gold, ten pounds', produce, 'potato'],
  ['Scarlet runner beans, saved 2024', seeds, 'bean'],
  ['Music garlic, seed heads', seeds, 'garlic'],
  ['Lemon balm', plants, 'basil'],
  ['Lemon thyme', plants, 'rosemary'],
  ['Black-eyed susans, then sunflowers', plants, 'sunflower-seeds'],
  ['Lacinato kale', produce, 'kale'],
  ['Butternut squash', produce, 'pumpkin'],
  ['Sugar snap peas', produce, 'bean'],
  ['Granny Smith apples', produce, 'apple'],
  ['Meyer lemons', produce, 'lemon'],
  ['Sungold', produce, 'tomato'],
  ['Swiss chard', produce, 'kale'],
  ['Peppermint', plants, 'basil'],
])('%s has the drawing of the crop that it names', (title, category, drawing) => {
  expect(drawingOf({ title, category_id: category })).toBe(drawing)
})

test.each(['Tomato starts in 4-inch pots', 'Kale seedlings'])('%s has the drawing of a seedling', (title) => {
  expect(drawingOf({ title, category_id: plants })).toBe('seedling-pot')
})

test.each([
  ['Tomato cages, six', produce, 'produce'],
  ['Tomato cages, six', null, 'uncategorized'],
  ['Apple press', null, 'uncategorized'],
  ['Lemon verbena', plants, 'plants'],
  ['Fig cuttings', plants, 'plants'],
  ['Figs', produce, 'produce'],
  ['Sour cherries', produce, 'produce'],
  ['Blue poppy', seeds, 'seeds'],
  ['A bag of leaf mold and advice', null, 'uncategorized'],
  ['', null, 'uncategorized'],
])('%s names no crop with a drawing and has the drawing of its category', (title, category, drawing) => {
  expect(drawingOf({ title, category_id: category })).toBe(drawing)
})
