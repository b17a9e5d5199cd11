import { expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import { cropArt, cropDrawing } from './crop-art.ts'

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
])('%s is drawn by the crop that it names', (title, category, drawing) => {
  expect(cropDrawing(title, category)).toBe(drawing)
})

test.each(['Tomato starts in 4-inch pots', 'Kale seedlings'])(
  '%s is drawn as the seedling it is',
  (title) => {
    expect(cropDrawing(title, plants)).toBe('seedling-pot')
  },
)

test.each([
  ['Tomato cages, six', produce, 'tomato'],
  ['Tomato cages, six', null, 'rhubarb'],
  ['Apple press', null, 'rhubarb'],
  ['Lemon verbena', plants, 'seedling-pot'],
  ['Grapes', produce, 'tomato'],
  ['Blue poppy', seeds, 'sunflower-seeds'],
  ['A bag of leaf mold and advice', null, 'rhubarb'],
  ['', null, 'rhubarb'],
])('%s names no crop of the catalog, so its category stands in', (title, category, drawing) => {
  expect(cropDrawing(title, category)).toBe(drawing)
})

test('every drawing has its file', () => {
  expect(cropArt('Sugar Pie pumpkin', produce)).toMatch(/pumpkin.*\.svg$/)
  expect(cropArt('Mammoth sunflower seed', seeds)).toMatch(/sunflower-seeds.*\.svg$/)
})
