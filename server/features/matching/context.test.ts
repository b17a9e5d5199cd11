import { describe, expect, test } from 'vitest'
import { matchTexts, readListing } from './pipeline.ts'

function fits(want: string, title: string, categories: { want?: number; listing?: number } = {}) {
  return (
    matchTexts(
      { title: want, category_id: categories.want ?? null },
      { title, description: '', category_id: categories.listing ?? null },
    ) !== undefined
  )
}

function plantsIn(title: string, description = ''): string[] {
  const offered = [...readListing({ title, description }).byTerm.values()].flat()
  return offered.filter(({ concept }) => concept.kind !== 'thing').map(({ name }) => name)
}

describe('a word of the language of a post is not corrected into a crop', () => {
  test.each([
    ['Maceta de barro grande'],
    ['Regalo bolsa de ropa'],
    ['Barril con tapa'],
    ['Sunroom furniture'],
    ['Gophers are wrecking my lawn'],
  ])('%s', (title) => {
    expect(plantsIn(title)).toEqual([])
  })
})

describe('a name of a person, pet or place offers nothing', () => {
  test.each([
    ['Garage sale near Maple Ave', ''],
    ['Piano lessons', 'Ask for Rose, mornings'],
    ['Basil the beagle turns ten', ''],
    ['Mrs. Plum moved away', ''],
    ['House on Linden has a leak', ''],
    ['Familia Robles dona ropa', ''],
    ['Rifa para ayudar a Violeta', ''],
    ['Mesa de roble', 'Muy firme'],
    ['Lemon yellow curtains', ''],
  ])('%s', (title, description) => {
    expect(plantsIn(title, description)).toEqual([])
  })

  test.each([['Rose bush'], ['Maple saplings'], ['Basil, fresh'], ['Rosal en maceta'], ['Lirio morado']])(
    'but %s is a plant',
    (title) => {
      expect(plantsIn(title)).not.toEqual([])
    },
  )
})

describe('a form is part of what is offered and wanted', () => {
  test.each([
    ['fig tree', 'Figs', { listing: 1 }],
    ['tomato seeds', 'Ripe tomatoes', { listing: 1 }],
    ['grapes', 'Grape leaves', {}],
    ['zucchini', 'Squash blossoms', {}],
    ['semillas de chile', 'Chiles maduros', {}],
    ['higos', 'Hojas de higo', {}],
  ])('%s does not match %s', (want, title, categories) => {
    expect(fits(want, title, categories)).toBe(false)
  })

  test.each([
    ['fig tree', 'Fig and apple trees', { listing: 3 }],
    ['tomato seeds', 'Seeds of tomato and basil', {}],
    ['árbol de limón', 'Limonero en maceta', { listing: 3 }],
    ['semillas de calabaza', 'Semillas de chile y calabaza', {}],
    ['basil', 'Basil leaves', {}],
  ])('%s matches %s', (want, title, categories) => {
    expect(fits(want, title, categories)).toBe(true)
  })
})

describe('a negation holds for its phrase', () => {
  test.each([
    ['kale', 'No bugs on this kale'],
    ['tomatoes', 'All gone except tomatoes'],
    ['orchid', 'Orchid, not blooming now'],
    ['limones', 'Ya no hay naranjas, solo limones'],
  ])('%s matches %s', (want, title) => {
    expect(fits(want, title)).toBe(true)
  })

  test.each([
    ['cherries', 'Too late for cherries, plenty of apricots'],
    ['thornless blackberry', 'Blackberry canes, NOT thornless'],
    ['higos', 'Se acabaron los higos'],
    ['aguacates', 'Busco aguacates'],
    ['heirloom tomato', 'Early Girl F1 hybrid tomato'],
  ])('%s does not match %s', (want, title) => {
    expect(fits(want, title)).toBe(false)
  })
})

test('what a thing holds is offered, not the thing', () => {
  expect(fits('wheelbarrow', 'Wheelbarrow full of grapes')).toBe(false)
  expect(fits('grapes', 'Wheelbarrow full of grapes')).toBe(true)
})

test.each([
  ['calabacín', 'Zucchini'],
  ['jitomates', 'Tomatoes, two bags'],
  ['plantas de interior', 'Pothos'],
  ['manguera', 'Garden hose'],
  ['eggs', 'Huevos de rancho'],
  ['árboles frutales', 'Peach tree'],
])('a want of %s matches %s in the other language', (want, title) => {
  expect(fits(want, title)).toBe(true)
})

test('a word for any plant is none for a shrub', () => {
  expect(fits('matas de fresa', 'Lavender')).toBe(false)
  expect(fits('matas de fresa', 'Strawberry plants')).toBe(true)
})
