import { describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import { offerTerms, wantTerms } from './match.ts'
import { matchTexts, readListing, readWant } from './pipeline.ts'

const { produce, seeds, plants } = categories

function fits(want: string, title: string, description = '') {
  return matchTexts({ title: want, category_id: null }, { title, description, category_id: null })
}

describe('a want of a crop matches a listing', () => {
  test.each([
    ['that names its plural', 'tomato', 'Tomatoes!!', 'tomato is on your list'],
    ['that uses another name', 'zucchini', 'Courgettes, a glut', 'courgette is another name for zucchini'],
    ['that uses a foreign name', 'eggplant', 'berenjenas', 'berenjena is another name for eggplant'],
    [
      'that uses its scientific name',
      'eggplant',
      'Solanum melongena',
      'Solanum melongena is another name for eggplant',
    ],
    ['that writes its name as two words', 'eggplants', 'egg plant, 2', 'eggplant is on your list'],
    ['without its accents', 'jalapeño', 'jalapenos', 'jalapeno is on your list'],
    ['with a typing error', 'broccoli', 'brocolli crowns', 'broccoli is on your list'],
    ['with two letters swapped', 'lettuce', 'lettcue', 'lettuce is on your list'],
    ['with a letter left out rather than exchanged', 'potatoes', 'potaos', 'potato is on your list'],
    [
      'with a typing error in one of several words',
      'lemon verbena',
      'lemon vebena, rooted',
      'lemon verbena is on your list',
    ],
    ['in a script without spaces', 'napa cabbage', '新鲜大白菜', '大白菜 is another name for napa cabbage'],
    [
      'with an adjective after it',
      'potatoes',
      'Pommes de terre nouvelles',
      'pomme de terre is another name for potato',
    ],
    ['that names a cultivar', 'tomatoes', 'Cherokee Purple starts', 'Cherokee Purple is a tomato'],
    ['of a more specific crop', 'squash', 'acorn squash', 'acorn squash is a squash'],
    ['of several crops', 'leeks', 'tomatoes, basil and a few leeks', 'leek is on your list'],
    [
      'of two crops whose names together are a cultivar',
      'lemons',
      'Oranges & lemons',
      'lemon is on your list',
    ],
    ['in a hanging basket', 'fuchsia', 'Fuchsia hanging basket', 'fuchsia is on your list'],
    [
      'that also looks for another crop',
      'parsley',
      'Looking for basil, offering parsley',
      'parsley is on your list',
    ],
    ['of seedlings', 'tomatoes', 'tomato seedlings', 'tomato is on your list'],
    ['of starts instead of seedlings', 'tomato seedlings', 'Tomato starts', 'tomato is on your list'],
    ['without a form', 'tomato seeds', 'Tomatoes', 'tomato is on your list'],
    [
      'of a cultivar that is an everyday word without another meaning here',
      'pears',
      'Conference, a crate',
      'Conference is a pear',
    ],
    [
      'of such a cultivar after the name of its crop',
      'Music garlic',
      'Garlic “Music”',
      'Music Garlic is on your list',
    ],
    [
      'of a well-known cultivar of everyday words',
      'apples',
      'Golden Delicious, a crate',
      'Golden Delicious is an apple',
    ],
    ['with a plural that is also a foreign name', 'calla lily', 'Calla lilies', 'calla lily is on your list'],
    ['that says that no tools are needed', 'lemons', 'Lemons, no tools needed', 'lemon is on your list'],
    [
      'that says that the crop is too much to eat',
      'peaches',
      "We can't eat all these peaches",
      'peach is on your list',
    ],
    ['of a quoted cultivar that is named after a dish', 'hosta', "Hosta 'Guacamole'", 'Guacamole is a hosta'],
    ['of canes', 'raspberries', 'Tulameen canes', 'Tulameen is a raspberry'],
    ['that names its shape', 'Sungold tomatoes', 'Sun Gold cherries, a pint', 'Sungold is on your list'],
    ['that uses a name with distinctive accents', 'lemongrass', 'Sả', 'sả is another name for lemongrass'],
    [
      'with the plural of a foreign name of two words',
      'red currants',
      'Rote Johannisbeeren',
      'Rote Johannisbeere is another name for red currant',
    ],
    [
      'that shortens a word of its name',
      'Armenian cucumber',
      'Armenian cukes',
      'armenian cucumber is on your list',
    ],
    ['that is free of a disease', 'potatoes', 'Potatoes, virus-free', 'potato is on your list'],
    ['of one of several colors', 'red tulips', 'Tulip bulbs, red and yellow', 'tulip is on your list'],
    ['of a color with another name', 'purple potatoes', 'Blue potatoes', 'purple potato is on your list'],
    ['that names no color', 'purple carrots', 'Carrots', 'carrot is on your list'],
    ['that has it (H:) in a trade', 'cucumbers', 'H: cucumbers W: tomatoes', 'cucumber is on your list'],
    [
      'before a crop that is sold out',
      'leeks',
      'Available: leeks. Sold out: peppers',
      'leek is on your list',
    ],
    [
      'before a crop that comes later',
      'tomatoes',
      'Tomatoes. Ready in June: peppers',
      'tomato is on your list',
    ],
    ['after a crop that is gone', 'squash', 'Gone: peppers. Squash still here', 'squash is on your list'],
    ['before a crop that is wanted', 'tomatoes', 'Tomatoes. Wanted: peppers', 'tomato is on your list'],
    ['that corrects another crop to it', 'peas', 'Beans? No, peas!', 'pea is on your list'],
    [
      'despite words without meaning for the match',
      'looking for some fresh organic kale please',
      'KALE, huge bunch $2',
      'kale is on your list',
    ],
  ])('%s', (_, want, listing, reason) => {
    expect(fits(want, listing)?.reason).toBe(reason)
  })
})

describe('a want of a crop does not match a listing', () => {
  test.each([
    ['of a tool for it', 'tomatoes', 'Tomato cages, set of 6'],
    ['of another color', 'purple carrots', 'Orange carrots, juicing'],
    ['of another color that is named after the crop', 'golden beets', 'Beets, red'],
    ['that denies a wanted trait', 'organic apples', 'Apples, sprayed with pesticide, not organic'],
    ['of seedlings instead of seeds', 'tomato seeds', 'Tomato seedlings'],
    ['of fruit instead of seeds', 'kale seeds', 'Kale, $2 a bunch'],
    ['of seeds instead of plants', 'pepper plants', 'Pepper seed packets'],
    ['of a different growth habit', 'bush beans', 'Pole bean seeds'],
    ['that says that it is taken', 'crocus', 'Crocus bulbs taken, thanks everyone'],
    ['of a food made of it', 'strawberries', 'Strawberry jam'],
    ['of another crop whose name contains it', 'potato', 'Sweet potatoes'],
    ['that uses its name as a color', 'orange', 'Orange marigolds'],
    ['that says that there is none yet', 'tomatoes', 'Kale, no tomatoes yet'],
    ['that says that it is sold out', 'peppers', 'Cucumbers (peppers are sold out)'],
    ['of a crop that the want offers in exchange', 'figs, can trade plums', 'Plums'],
    ['that wants it in exchange', 'tomatoes', 'Swap zucchini for tomatoes'],
    ['of a book about it', 'tomatoes', 'Book: growing tomatoes'],
    ['of another plant with a word of its name', 'oats', 'Sea oats'],
    ['that uses a cultivar as an everyday word', 'rose', 'Peace and quiet wanted'],
    ['of a plant that is named after it', 'chestnuts', 'Polynesian chestnut'],
    ['of several plants that are named after it', 'lilies', 'Peace lilies, two pots'],
    ['that is marked as taken', 'cucumber', 'Cucumbers (taken)'],
    ['that is marked as sold before it', 'tomatoes', 'SOLD - tomatoes'],
    ['that is marked as taken in brackets before it', 'figs', '[TAKEN] figs'],
    ['that is sold out before a colon', 'eggplants', 'Available: leeks. Sold out: peppers, eggplants.'],
    ['that comes later before a colon', 'peppers', 'Tomatoes. Coming soon: peppers'],
    ['that ends with “wanted”', 'kale', 'Kale plants wanted'],
    ['whose owner is done with it', 'strawberries', 'Done with strawberries, raspberries just starting'],
    ['whose crop is done for the year', 'kale', "Kale's done for the year but loads of chard"],
    ['whose crop should be ready later', 'figs', 'Figs should be ready in a couple weeks'],
    ['of its greens only', 'beets', 'Beet tops, bunch'],
    ['of a part of another crop', 'flores de calabaza', 'Flores de jamaica'],
    ['of nuts for a want of fruit', 'fruit', 'Walnuts in the shell'],
    ['of another plant whose name is spelt alike without accents', 'Romas', 'Pomegranates'],
    ['that announces it for later', 'pears', 'Apples now, pears not till October'],
    ['whose title also says that it is gone', 'onions', 'Leeks and onions; onions are gone'],
    ['that joins it to a tool with a slash', 'lettuce', 'Lettuce/salad spinner'],
    ['of leafy greens for a want of a green crop', 'green garlic', 'Kale'],
    ['that compares a size to it', 'peas', 'Gooseberries, pea-sized'],
    ['that compares a color to it', 'lavender', 'Lavender colored iris'],
    ['that compares a colour to it', 'peaches', 'Peach-coloured dahlias'],
    ['that compares a shape to it', 'pears', 'Pear shaped gourds'],
    ['of eggs of another bird', 'quail eggs', 'Goose eggs'],
    ['with a word that is as similar to another', 'beets', 'Beats headphones'],
  ])('%s', (_, want, listing) => {
    expect(fits(want, listing)).toBeUndefined()
  })
})

test('a want of a cultivar matches only that cultivar', () => {
  expect(fits('Brandywine tomatoes', 'Brandywine, 5 lb')?.reason).toBe('Brandywine is on your list')
  expect(fits('Brandywine tomatoes', 'Tomatoes')).toBeUndefined()
  expect(fits('Brandywine tomatoes', 'San Marzano tomatoes')).toBeUndefined()
  expect(fits('Brandywine tomatoes', 'Pink Brandywine')?.reason).toBe('Pink Brandywine is a Brandywine')
  expect(fits('Pink Brandywine', 'Brandywine tomatoes')).toBeUndefined()
  expect(fits('Bloomsdale spinach', 'Bloomsdale Long Standing')?.reason).toBe(
    'Bloomsdale Long Standing is a Bloomsdale',
  )
  expect(fits("Cox's Orange Pippin", 'Cox apples')?.reason).toBe("Cox's Orange Pippin is on your list")
})

test('a want that offers a trade matches only the wanted crop', () => {
  expect(fits('Leeks, can trade garlic', 'Leeks')?.reason).toBe('leek is on your list')
  expect(fits('Leeks, can trade garlic', 'Garlic')).toBeUndefined()
})

test('a want of a group matches crops of the group', () => {
  expect(fits('leafy greens', 'curly kale')?.reason).toBe('curly kale is a leafy green')
  expect(fits('leafy greens', 'carrots')).toBeUndefined()
})

test('a want of several crops matches any of them except excluded ones', () => {
  expect(fits('kale or chard', 'chard')?.reason).toBe('chard is on your list')
  expect(fits('vegetables except zucchini', 'Beets')?.reason).toBe('beet is a vegetable')
  expect(fits('vegetables except zucchini', 'Courgettes')).toBeUndefined()
  expect(fits('anything but zucchini', 'Beets')?.reason).toBe('beet is one of the things you are open to')
  expect(fits('anything but zucchini', 'Zucchini')).toBeUndefined()
})

test.each([
  [produce, produce, true],
  [produce, plants, false],
  [seeds, null, true],
  [null, plants, true],
  [null, null, true],
])('categories %s and %s agree: %s', (want, listing, agree) => {
  const result = matchTexts(
    { title: 'kale', category_id: want },
    { title: 'Kale', description: '', category_id: listing },
  )

  expect(result !== undefined).toBe(agree)
})

describe('a cultivar that only the description names', () => {
  test.each([
    ['is offered under its crop', 'cherokee purple', 'Tomato starts', 'Cherokee Purple, Sungold. $3', true],
    ['is offered beside its crop', 'meyer lemons', 'Lemons', 'Meyer lemons from our tree', true],
    ['is not offered if it is denied', 'honeycrisp', 'Apples', 'Gala. No Honeycrisp this year', false],
    ['is not offered if it is compared', 'honeycrisp', 'Apples', 'Gala, crisp as a Honeycrisp', false],
    ['is not offered if it usually grows there', 'sungold', 'Tomatoes', 'We usually grow Sungold.', false],
  ])('%s', (_, want, title, description, offered) => {
    expect(fits(want, title, description) !== undefined).toBe(offered)
  })
})

describe('a crop that only the description names', () => {
  test.each([
    [
      'is offered if “also have” precedes it',
      'Tomatoes',
      'Picked today. Also have some leeks if you want.',
      true,
    ],
    ['is offered if the title names no crop', 'Veg box', 'Carrots, leeks and a squash', true],
    ['is offered if the title names a group too', 'Tomatoes and vegetables', 'Leeks and chives', true],
    [
      'is not offered if the title says that there is no more',
      'Carrots, no more',
      'Fine by the leeks',
      false,
    ],
    ['is offered if the title names a container', 'Pots on the porch', 'Leeks and chives', true],
    ['is offered if it starts its sentence under a thing', 'Greenhouse overflow', 'Beets, leeks', true],
    ['is not offered within a sentence under a thing', 'Wire fence', 'Kept my leeks safe', false],
    ['is not offered if it grew next to the crop', 'Carrots', 'Grew next to the leeks.', false],
    ['is not offered if the crop goes well with it', 'Potatoes', 'Great with leeks and cream', false],
    ['is not offered if it grew there before', 'Veg box', 'Carrots grown in the old leek bed', false],
    ['is not offered if it is wanted in exchange', 'Eggs', 'Would trade for leeks', false],
    [
      'is not offered if the owner would love it',
      'Lemons and other fruit',
      "Limes. We'd love some leeks",
      false,
    ],
    [
      'is not offered if the owner would take it',
      'Lemons and other fruit',
      "I'll take leeks for them",
      false,
    ],
    ['is not offered if it pays for the crop', 'Lemons and other fruit', 'Happy to trade for leeks', false],
    ['is not offered if it has been claimed', 'Leeks and chard', 'Leeks have been claimed.', false],
    ['is not offered if it is denied', 'Veg box', 'Carrots and squash. No leeks this week.', false],
  ])('%s', (_, title, description, offered) => {
    expect(fits('leeks', title, description) !== undefined).toBe(offered)
  })
})

test('a want of a thing matches its words and synonyms', () => {
  expect(fits('pots', '1 gallon pots, stack of 40')?.reason).toBe('pot is on your list')
  expect(fits('pots', 'Rosemary and two pots')?.reason).toBe('pot is on your list')
  expect(fits('trellis', 'Beans, a trellis in good shape')?.reason).toBe('trellis is on your list')
  expect(fits('compost', 'bag of compost')?.reason).toBe('compost is on your list')
  expect(fits('compost', 'compost bin')).toBeUndefined()
  expect(fits('tomato cages', 'cages for tomatoes')?.reason).toBe('cage is on your list')
  expect(fits('tomato cages', 'Tomatoes')).toBeUndefined()
  expect(fits('seeds', 'Seed drill')).toBeUndefined()
  expect(fits('secateurs', 'pruning shears')?.reason).toBe('pruning shear is another name for secateur')
  expect(fits('tomato soup', 'Tomato soup, a quart')?.reason).toBe('tomato soup is on your list')
  expect(fits('tomato soup', 'Chicken soup')).toBeUndefined()
  expect(fits('apple pie', 'Cherry pie')).toBeUndefined()
  expect(fits('xylophone', 'small xylophone, red')?.reason).toBe('xylophone is on your list')
})

test.each([
  ['eggs', 'Huevos de gallina'],
  ['honey', 'Miel pura'],
  ['compost', 'Abono orgánico'],
  ['firewood', 'Leña seca'],
  ['manure', 'Estiércol de caballo'],
  ['jam', 'Mermelada casera'],
  ['chickens', 'Gallinas ponedoras'],
])('a want of %s matches %s', (want, listing) => {
  expect(fits(want, listing)?.kind).toMatch(/^(?:same|synonym|kind)$/)
})

test.each([
  ['sourdough starter', 'Banana bread'],
  ['epsom salt', 'Bone meal'],
  ['bird seed', 'Bird house'],
  ['maple syrup', 'Elderberry syrup'],
  ['strawberry jam', 'Fig jam'],
  ['clover honey', 'Wildflower honey'],
  ['goat cheese', 'Goat milk'],
  ['hanging baskets', 'Grow bags'],
  ['loppers', 'Pruning saw'],
  ['pots', 'Basil (4 inch pot)'],
  ['pots', 'Tomato plants in 1 gallon pots'],
  ['jars', 'Honey in mason jars'],
  ['hens', 'Farm fresh eggs from my hens'],
  ['raised beds', 'Lettuce from raised beds'],
])('a want of %s does not match %s', (want, listing) => {
  expect(fits(want, listing)).toBeUndefined()
})

test.each([
  ['kale', 'Kale', 'same', 'kale is on your list'],
  ['zucchini', 'Courgettes', 'synonym', 'courgette is another name for zucchini'],
  ['tomatoes', 'Brandywine', 'cultivar', 'Brandywine is a tomato'],
  ['leafy greens', 'Kale', 'group', 'kale is a leafy green'],
  ['onions', 'Onion sets', 'same', 'onion is on your list'],
  ['compost', 'compost, sifted', 'same', 'compost is on your list'],
  ['fertilizer', 'Bone meal', 'kind', 'bone meal is a fertilizer'],
  ['jam', 'Strawberry jam', 'same', 'jam is on your list'],
  ['xylophone', 'xylophone', 'words', 'xylophone is on your list'],
])('%s and %s match because: %s', (want, listing, kind, reason) => {
  expect(fits(want, listing)).toMatchObject({ kind, reason })
})

test('index terms are the keys of crops, groups and things', () => {
  expect(wantTerms(readWant({ title: 'courgettes' }))).toEqual(['zucchini'])
  expect(wantTerms(readWant({ title: 'Danvers 126 carrots' }))).toEqual(['carrot/danvers-126'])
  expect(wantTerms(readWant({ title: 'brassicas or compost' }))).toEqual(['group:brassicas', 'thing:compost'])
  expect(offerTerms(readListing({ title: 'Danvers 126', description: '' }))).toEqual(
    expect.arrayContaining(['carrot/danvers-126', 'carrot', 'group:root-vegetables']),
  )
})

test.each([
  '',
  '   ',
  '!!!',
  '🍅',
  'おはよう',
  'помидоры',
  'طماطم',
  '\u0000\u{10ffff}',
  'a'.repeat(120),
  'tomato '.repeat(200),
])('matching any text does not throw: %s', (text) => {
  expect(() =>
    matchTexts({ title: text, category_id: null }, { title: text, description: text, category_id: null }),
  ).not.toThrow()
})

test('an emoji matches if no word names a crop', () => {
  expect(fits('tomatoes', '🍅🍅🍅 come and get them')?.reason).toBe('tomato is on your list')
  expect(fits('tomatoes', '🍅 Cucumbers')).toBeUndefined()
})

test('a listing of a bag matches by crop only in a category', () => {
  const want = { title: 'arugula', category_id: null }
  const bag = { title: 'Baby arugula bag', description: '' }
  expect(matchTexts(want, { ...bag, category_id: produce })?.kind).toBe('same')
  expect(matchTexts(want, { ...bag, category_id: null })).toBeUndefined()
})
