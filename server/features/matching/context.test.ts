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

test('function words are no name that is written apart', () => {
  expect(plantsIn('It is in good shape')).toEqual([])
})

describe('a crop beside a noun of another subject offers nothing', () => {
  test.each([
    ['Granada, viaje en grupo'],
    ['Lechuga, disfraz de niño'],
    ['Aspen ski pass'],
    ['Gatita Jengibre, muy cariñosa'],
    ['Zanahoria de peluche'],
    ['Privada de los Tulipanes'],
    ['Cranberries CD'],
    ['Wallflower at the dance, a novel'],
  ])('%s', (title) => {
    expect(plantsIn(title)).toEqual([])
  })

  test.each([['Crocuses from the school garden']])('but %s offers a plant', (title) => {
    expect(plantsIn(title)).not.toEqual([])
  })

  test('the description may name the other subject', () => {
    expect(plantsIn('Cherry red pickup', 'New tires')).toEqual([])
    expect(plantsIn('Cherries', 'Leave a message at the office')).not.toEqual([])
  })

  test('a category tells that it grows', () => {
    expect(fits('mint', 'Mint, after the concert', { listing: 3 })).toBe(true)
    expect(fits('lettuce', 'Lettuce, desk side pickup', { listing: 1 })).toBe(true)
  })
})

describe('a form is part of what is offered and wanted', () => {
  test.each([
    ['fig tree', 'Figs', { listing: 1 }],
    ['tomato seeds', 'Ripe tomatoes', { listing: 1 }],
    ['grapes', 'Grape leaves', {}],
    ['zucchini', 'Squash blossoms', {}],
    ['semillas de chile', 'Chiles maduros', {}],
    ['higos', 'Hojas de higo', {}],
    ['higuera', 'Higos por kilo', { listing: 1 }],
    ['limonero', 'Bolsa de limones', { listing: 1 }],
    ['tulip bulbs', 'Bouquet of tulips', {}],
    ['grape leaves', 'Table grapes', { want: 1, listing: 1 }],
    ['seed potatoes', 'Potatoes', { listing: 1 }],
    ['apple scions', 'Apples', { listing: 1 }],
    ['strawberries', 'Runners from my strawberries', { want: 1 }],
    ['zucchini', 'Blossoms off my zucchini', {}],
  ])('%s does not match %s', (want, title, categories) => {
    expect(fits(want, title, categories)).toBe(false)
  })

  test.each([
    ['fig tree', 'Fig and apple trees', { listing: 3 }],
    ['tomato seeds', 'Seeds of tomato and basil', {}],
    ['árbol de limón', 'Limonero en maceta', { listing: 3 }],
    ['semillas de calabaza', 'Semillas de chile y calabaza', {}],
    ['basil', 'Basil leaves', {}],
    ['fig leaves', 'Leaves off our fig tree', {}],
    ['beets', 'Beets, greens and all', {}],
    ['carrot tops', 'Carrots with greens', {}],
    ['garlic bulbs', 'Garlic', { listing: 1 }],
    ['dahlia tubers', 'Dahlia divisions', { listing: 3 }],
    ['coriander leaf', 'Cilantro', { want: 3, listing: 3 }],
  ])('%s matches %s', (want, title, categories) => {
    expect(fits(want, title, categories)).toBe(true)
  })
})

describe('a negation holds for its phrase', () => {
  test.each([
    ['kale', 'No bugs on this kale'],
    ['tomatoes', 'All gone except tomatoes'],
    ['orchid', 'Orchid, not blooming now'],
    ['avocados', 'Avocados, not ripe yet'],
    ['tomatoes, no cherry types', 'Brandywine tomatoes'],
    ['limones', 'Ya no hay naranjas, solo limones'],
  ])('%s matches %s', (want, title) => {
    expect(fits(want, title)).toBe(true)
  })

  test.each([
    ['cherries', 'Too late for cherries, plenty of apricots'],
    ['thornless blackberry', 'Blackberry canes, NOT thornless'],
    ['higos', 'Se acabaron los higos'],
    ['lemons', 'Lemons not ripe yet, check back in spring'],
    ['tomatoes, no cherry types', 'Sungolds'],
    ['tomates sin cherry', 'Tomates cherry'],
    ['garlic', 'Green beans, delicious sauteed in garlic'],
    ['aguacates', 'Busco aguacates'],
    ['heirloom tomato', 'Early Girl F1 hybrid tomato'],
  ])('%s does not match %s', (want, title) => {
    expect(fits(want, title)).toBe(false)
  })
})

test.each([
  ['wheelbarrow', 'grapes', 'Wheelbarrow full of grapes'],
  ['buckets', 'lemons', '5 gallon bucket of lemons'],
  ['carretilla', 'limones', 'Una carretilla de limones'],
  ['greenhouse', 'tomatoes', 'Greenhouse tomatoes'],
])('no %s but %s are offered by %s', (thing, crop, title) => {
  expect(fits(thing, title)).toBe(false)
  expect(fits(crop, title)).toBe(true)
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

describe('an everyday word is a cultivar where a category tells that it grows', () => {
  test.each([
    ['apples', 'A bag of Galas', 1],
    ['cherries', 'Bings by the bucket', 1],
    ['tomatoes', 'Fresh Celebrities', 1],
    ['daylilies', 'Happy Returns, dig your own', 3],
  ])('%s matches %s', (want, title, listing) => {
    expect(fits(want, title, { listing })).toBe(true)
  })

  test.each([['Fresh celebrities gossip'], ['A bag of legends and lore']])(
    'but %s offers nothing',
    (title) => {
      expect(plantsIn(title)).toEqual([])
    },
  )
})

test.each([
  ['laying hens', 'Chickens'],
  ['shovel', 'Garden tools'],
  ['garden tools', 'Shovel'],
])('a want of %s matches %s, the wider or narrower thing', (want, title) => {
  expect(fits(want, title)).toBe(true)
})

test('the kinds of a thing do not match each other', () => {
  expect(fits('duck eggs', 'Hen eggs')).toBe(false)
  expect(fits('shovel', 'Garden rake')).toBe(false)
})

test('a part that the description names is offered too', () => {
  const want = { title: 'grape leaves', category_id: 1 }
  const listing = { title: 'Grapes', description: 'Take the leaves too', category_id: 1 }
  expect(matchTexts(want, listing)).toBeDefined()
})

test.each([
  ['bell peppers', '3 bells, red and yellow', 1],
  ['snapdragons', 'Snaps in six packs', 3],
  ['pomegranates', 'Poms splitting on the tree', 1],
  ['philodendron', 'Philo cuttings', 3],
])('a want of %s matches the short form in %s', (want, title, listing) => {
  expect(fits(want, title, { listing })).toBe(true)
})

describe('a listing that asks for something does not offer it', () => {
  test.each([
    ['mint', 'Could someone share a bit of mint?'],
    ['eggs', 'Does anybody still have eggs'],
    ['potatoes', 'Got potatoes? We need some'],
    ['menta', 'Alguien me regala un piecito de menta'],
    ['espinacas', 'Ofrezco acelgas, recibo espinacas'],
  ])('%s does not match %s', (want, title) => {
    expect(fits(want, title)).toBe(false)
  })

  test.each([
    ['kale', 'Would anyone like some kale?'],
    ['parsley', 'Who wants parsley'],
    ['plums', 'Need someone to pick plums'],
    ['hostas', 'Looking for a good home for 6 hostas'],
    ['cilantro', 'Necesito deshacerme de mucho cilantro'],
    ['calabazas', 'Necesito que alguien se lleve estas calabazas'],
  ])('but %s matches %s, which seeks takers', (want, title) => {
    expect(fits(want, title)).toBe(true)
  })
})

describe('a kind has its traits whatever the text says', () => {
  test.each([
    ['heirloom tomatoes', 'Better Boy'],
    ['seedless grapes', 'Concords'],
    ['peppers, nothing spicy', 'Habaneros'],
    ['thornless blackberry', 'Kiowa blackberry'],
    ['slicing tomatoes', 'Amish Paste'],
    ['chiles que no piquen', 'Habaneros'],
    ['tomates criollos', 'Jitomate Early Girl'],
    ['tomatoes, not hybrid', 'Tomato seedlings, Sungold'],
    ['chile seco', 'Chile fresco'],
  ])('%s does not match %s', (want, title) => {
    expect(fits(want, title, { listing: 1 })).toBe(false)
  })

  test('a text that says otherwise counts', () => {
    expect(fits('mild peppers', 'Heatless habaneros', { listing: 1 })).toBe(true)
  })
})

describe('a comparison offers nothing', () => {
  test.each([
    ['rhubarb', 'Sorrel, tart as rhubarb'],
    ['peas', 'Fava tips, pea-like flavor'],
    ['limones', 'Mandarina tan ácida como el limón'],
    ['toronja', 'Naranjas más dulces que la toronja'],
    ['manzanas', 'Membrillo, parecido al manzano'],
  ])('%s does not match %s', (want, title) => {
    expect(fits(want, title, { listing: 1 })).toBe(false)
  })
})

describe('the head of a Spanish phrase is offered', () => {
  test.each([
    ['botes', 'Bote de fresas'],
    ['invernadero', 'Tomates de invernadero'],
    ['albahaca', 'Pesto casero de albahaca'],
    ['caléndula', 'Pomada de caléndula'],
    ['guayabas', 'Ate de guayaba'],
    ['albahaca', 'Macetas para albahaca'],
    ['mangos', 'Hueso de mango'],
  ])('%s does not match %s', (want, title) => {
    expect(fits(want, title, { listing: 1 })).toBe(false)
  })

  test.each([
    ['fresas', 'Bote de fresas'],
    ['tomates', 'Tomates de invernadero'],
    ['albahaca', 'Maceta de albahaca'],
    ['lechugas', 'Semillero con lechugas'],
  ])('%s matches %s', (want, title) => {
    expect(fits(want, title)).toBe(true)
  })
})

test('the description of a product names what it is made from', () => {
  const listing = { title: 'Homemade pesto', description: 'basil, garlic, pine nuts' }
  expect(matchTexts({ title: 'garlic' }, listing)).toBeUndefined()
  expect(matchTexts({ title: 'pesto' }, listing)).toBeDefined()
})

test.each([
  ['Tuna universitaria de la ciudad'],
  ['Rábano el payaso'],
  ['Taquería El Nopal'],
  ['Artificial roses'],
])('%s offers no plant', (title) => {
  expect(plantsIn(title)).toEqual([])
})
