import { describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import { listingTerms, match, searchTerms, wantTerms } from './match.ts'

const { produce, seeds, plants } = categories

function fits(want: string, title: string, description = '') {
  return match({ title: want, category_id: null }, { title, description, category_id: null })
}

describe('a want of a crop is met', () => {
  test.each([
    ['by its plural', 'tomato', 'Tomatoes!!'],
    ['by another name', 'zucchini', 'Courgettes, a glut'],
    ['by a foreign name', 'eggplant', 'berenjenas'],
    ['by its scientific name', 'eggplant', 'Solanum melongena'],
    ['joined or apart', 'eggplants', 'egg plant, 2'],
    ['without its accents', 'jalapeño', 'jalapenos'],
    ['with a slip of the pen', 'broccoli', 'brocolli crowns'],
    ['with two letters changed about that sound otherwise', 'lettuce', 'lettcue'],
    ['with a letter left out, before one exchanged', 'potatoes', 'potaos'],
    ['with a slip in one of its words', 'lemon verbena', 'lemon vebena, rooted'],
    ['in signs without spaces', 'napa cabbage', '新鲜大白菜'],
    ['with an adjective after it', 'potatoes', 'Pommes de terre nouvelles'],
    ['with a slip that is nearer to a rarer name', 'rosemary', 'Rosmary plant'],
    ['by a cultivar', 'tomatoes', 'Cherokee Purple starts'],
    ['by a crop of its kind', 'squash', 'acorn squash'],
    ['beside others', 'leeks', 'tomatoes, basil and a few leeks'],
    ['by two that are a cultivar together', 'lemons', 'Oranges & lemons'],
    ['in a hanging basket', 'fuchsia', 'Fuchsia hanging basket'],
    ['beside what is sought', 'parsley', 'Looking for basil, offering parsley'],
    ['as a seedling', 'tomatoes', 'tomato seedlings'],
    ['by a cultivar in an everyday word, where it can be nothing else', 'pears', 'Conference, a crate'],
    ['by such a one before a name of its crop', 'Juliet tomato', 'Juliet grape tomato plant'],
    ['by such a one after it', 'Music garlic', 'Garlic “Music”'],
    ['by a cultivar that is famous under everyday words', 'apples', 'Golden Delicious, a crate'],
    ['by a plural that is a foreign name too', 'calla lily', 'Calla lilies'],
    ['by what was taken as a cutting', 'lavender', 'Lavender taken as cuttings in June'],
    ['by what no tools are needed for', 'lemons', 'Lemons, no tools needed'],
    ['by what a grower asks who needs it', 'kale', 'Need kale? I have loads'],
    ['by what a grower can not eat', 'peaches', "We can't eat all these peaches"],
    ['by a cultivar in quotation marks, though it is called after a dish', 'hosta', "Hosta 'Guacamole'"],
    ['by canes', 'raspberries', 'Tulameen canes'],
    ['by what its shape is called', 'Sungold tomatoes', 'Sun Gold cherries, a pint'],
    ['by a name that its accents tell', 'lemongrass', 'Sả'],
    ['by a plural of a foreign name in two words', 'red currants', 'Rote Johannisbeeren'],
    ['by what a word of its name is for short', 'Armenian cucumber', 'Armenian cukes'],
    ['by what it is free of', 'potatoes', 'Potatoes, virus-free'],
    ['by a name turned about at a comma', 'dinosaur kale', 'Kale, dino type, bunches'],
    ['in one of several colors', 'red tulips', 'Tulip bulbs, red and yellow'],
    ['in a color that may be called another', 'purple potatoes', 'Blue potatoes'],
    ['where nothing is said of its color', 'purple carrots', 'Carrots'],
    ['by what a trader has', 'cucumbers', 'H: cucumbers W: tomatoes'],
    ['by what is there instead', 'peas', 'Beans? No, peas!'],
    ['whatever weighs nothing', 'looking for some fresh organic kale please', 'KALE, huge bunch $2'],
  ])('%s', (_how, want, listing) => {
    expect(fits(want, listing)).toBeDefined()
  })
})

describe('a want of a crop is not met', () => {
  test.each([
    ['by a thing for it', 'tomatoes', 'Tomato cages, set of 6'],
    ['by one of another color', 'purple carrots', 'Orange carrots, juicing'],
    ['by one whose color stands after it', 'golden beets', 'Beets, red'],
    ['by what excludes what is asked for', 'organic apples', 'Apples, sprayed with pesticide, not organic'],
    ['by one that is known for what is not wanted', 'Peppers, not hot', 'Jalapeño starts'],
    ['by one of another name that excludes it', 'bush beans', 'Pole bean seeds'],
    ['by what a trader wants', 'tomatoes', 'H: cucumbers W: tomatoes'],
    ['by what is denied in an answer', 'beans', 'Beans? No, peas!'],
    ['by its price', 'eggs', 'Zucchini, price: six eggs'],
    ['by what its form is said to be taken', 'crocus', 'Crocus bulbs taken, thanks everyone'],
    ['by what is made of it', 'strawberries', 'Strawberry jam'],
    ['by another that has its name in it', 'potato', 'Sweet potatoes'],
    ['by what it only colors', 'orange', 'Orange marigolds'],
    ['by what is denied', 'tomatoes', 'Kale, no tomatoes yet'],
    ['by what is gone', 'peppers', 'Cucumbers (peppers are sold out)'],
    ['by what the seeker has to give', 'figs, can trade plums', 'Plums'],
    ['by what would be taken in exchange', 'tomatoes', 'Swap zucchini for tomatoes'],
    ['by what never grew', 'roses', 'Artificial roses'],
    ['by a book about it', 'tomatoes', 'Book: growing tomatoes'],
    ['by another plant with a word of its name', 'oats', 'Sea oats'],
    ['by another crop with the name of its cultivar', 'kale', 'Red Russian garlic'],
    ['by an everyday word that is a cultivar as well', 'rose', 'Peace and quiet wanted'],
    ['by what is called after it', 'chestnuts', 'Polynesian chestnut'],
    ['by the plural of what is called after it', 'lilies', 'Peace lilies, two pots'],
    ['by what it only likens another to', 'maple', 'Maple leaf begonia'],
    ['by what is said to be no real one', 'hibiscus', 'False hibiscus'],
    ['by what is marked as gone', 'cucumber', 'Cucumbers (taken)'],
    ['by what its title begins by saying is gone', 'kale', 'SOLD: kale'],
    ['by what the grower asks for in the end', 'kale', 'Kale plants wanted'],
    ['by what a grower asks for', 'kale', 'Got kale?'],
    ['by what is free of it', 'kale', 'Kale-free salad mix'],
    ['by what comes later', 'pears', 'Apples now, pears not till October'],
    ['by what the same title says is gone', 'onions', 'Leeks and onions; onions are gone'],
    ['by what is for it and another', 'azaleas', 'Azalea & camellia fertilizer'],
    ['by what a slash ties to a thing', 'lettuce', 'Lettuce/salad spinner'],
    ['by what is as large', 'peas', 'Gooseberries, pea-sized'],
    ['by what it flavors, with a word between', 'bananas', 'Banana split hosta'],
    ['by somebody of that name', 'heather', 'Heather the babysitter'],
    ['by what a thing is made of', 'cedar', 'Raised bed kit, cedar'],
    ['by the egg of another bird', 'quail eggs', 'Goose eggs'],
    ['by a word as near to another', 'beets', 'Beats headphones'],
  ])('%s', (_how, want, listing) => {
    expect(fits(want, listing)).toBeUndefined()
  })
})

test('under a category, what holds a crop is what its description names', () => {
  const want = { title: 'leeks', category_id: 1 }
  const basket = { title: 'Greenhouse overflow', description: 'Leeks, beets, coriander.' }
  expect(match(want, { ...basket, category_id: 1 })).toBeDefined()
  expect(match(want, { ...basket, category_id: null })).toBeUndefined()
})

test('a want of a cultivar is met by that cultivar only', () => {
  expect(fits('Brandywine tomatoes', 'Brandywine, 5 lb')).toBeDefined()
  expect(fits('Brandywine tomatoes', 'Tomatoes')).toBeUndefined()
  expect(fits('Brandywine tomatoes', 'San Marzano tomatoes')).toBeUndefined()
  expect(fits('Brandywine tomatoes', 'Pink Brandywine')).toBeDefined()
  expect(fits('Pink Brandywine', 'Brandywine tomatoes')).toBeUndefined()
  expect(fits('Bloomsdale spinach', 'Bloomsdale Long Standing')).toBeDefined()
  expect(fits("Cox's Orange Pippin", 'Cox apples')).toBeDefined()
})

test('what a seeker would trade away is not wanted, and what it is for is', () => {
  expect(fits('Will trade garlic for leeks', 'Leeks')).toBeDefined()
  expect(fits('Will trade garlic for leeks', 'Garlic')).toBeUndefined()
})

test('a want of a group is met by its members', () => {
  expect(fits('leafy greens', 'curly kale')).toBeDefined()
  expect(fits('leafy greens', 'carrots')).toBeUndefined()
})

test('a want of several is met by any of them, and never by what it excludes', () => {
  expect(fits('kale or chard', 'chard')).toBeDefined()
  expect(fits('vegetables except zucchini', 'Beets')).toBeDefined()
  expect(fits('vegetables except zucchini', 'Courgettes')).toBeUndefined()
  expect(fits('anything but zucchini', 'Beets')).toBeDefined()
  expect(fits('anything but zucchini', 'Zucchini')).toBeUndefined()
})

test.each([
  [produce, produce, true],
  [produce, plants, false],
  [seeds, null, true],
  [null, plants, true],
  [null, null, true],
])('categories %s and %s agree: %s', (want, listing, agree) => {
  const found = match(
    { title: 'kale', category_id: want },
    { title: 'Kale', description: '', category_id: listing },
  )

  expect(found !== undefined).toBe(agree)
})

describe('a crop that only the description names', () => {
  test.each([
    ['is offered where it is announced', 'Tomatoes', 'Picked today. Also have some leeks if you want.', true],
    ['is offered where the title names none', 'Veg box', 'Carrots, leeks and a squash', true],
    ['is offered where the title names what holds it', 'Pots on the porch', 'Leeks and chives', true],
    ['is offered where it opens its sentence, whatever the title', 'Salad kit', 'Leeks and chives', true],
    ['is not offered where it is what an object is for', 'Slug traps', 'Kept my leeks safe', false],
    ['is not offered where it only grew beside', 'Carrots', 'Grew next to the leeks.', false],
    ['is not offered where it goes well with', 'Potatoes', 'Great with leeks and cream', false],
    ['is not offered where it was before', 'Veg box', 'Carrots grown in the old leek bed', false],
    ['is not offered where it is wanted in exchange', 'Eggs', 'Would trade for leeks', false],
    [
      'is not offered where it is gone, whatever the title says',
      'Leeks and chard',
      'Leeks have been claimed.',
      false,
    ],
    ['is not offered where it is denied', 'Veg box', 'Carrots and squash. No leeks this week.', false],
  ])('%s', (_how, title, description, offered) => {
    expect(fits('leeks', title, description) !== undefined).toBe(offered)
  })
})

test('what is no crop is met by its words, and by other names for it', () => {
  expect(fits('compost', 'bag of compost')).toBeDefined()
  expect(fits('compost', 'compost bin')).toBeUndefined()
  expect(fits('tomato cages', 'cages for tomatoes')).toBeDefined()
  expect(fits('tomato cages', 'Tomatoes')).toBeUndefined()
  expect(fits('seeds', 'Seed drill')).toBeUndefined()
  expect(fits('secateurs', 'pruning shears')).toBeDefined()
  expect(fits('xylophone', 'small xylophone, red')).toBeDefined()
})

test.each([
  ['kale', 'Kale', 'same', 'kale is on your list'],
  ['zucchini', 'Courgettes', 'synonym', 'courgette is another name for zucchini'],
  ['tomatoes', 'Brandywine', 'cultivar', 'Brandywine is a tomato'],
  ['leafy greens', 'Kale', 'group', 'kale is a leafy green'],
  ['compost', 'compost, sifted', 'same', 'compost is on your list'],
  ['xylophone', 'xylophone', 'words', 'xylophone is on your list'],
])('%s and %s match because: %s', (want, listing, kind, reason) => {
  expect(fits(want, listing)).toEqual({ kind, reason })
})

test('terms are the keys of crops, groups and things, which stay', () => {
  expect(wantTerms({ title: 'courgettes' })).toEqual(['zucchini'])
  expect(wantTerms({ title: 'Danvers 126 carrots' })).toEqual(['carrot/danvers-126'])
  expect(wantTerms({ title: 'brassicas or compost' })).toEqual(['group:brassicas', 'thing:compost'])
  expect(listingTerms({ title: 'Danvers 126', description: '' })).toEqual(
    expect.arrayContaining(['carrot/danvers-126', 'carrot', 'group:root-vegetables']),
  )
})

test('a search is read as a want is, and keeps the words that name nothing', () => {
  expect(searchTerms('aubergine')).toEqual({ concepts: ['eggplant'], words: [] })
  expect(searchTerms('purple xylophone')).toEqual({ concepts: [], words: ['xylophone'] })
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
])('no text is too odd to be read: %s', (text) => {
  expect(() =>
    match({ title: text, category_id: null }, { title: text, description: text, category_id: null }),
  ).not.toThrow()
})

test('a picture counts where no word says what there is', () => {
  expect(fits('tomatoes', '🍅🍅🍅 come and get them')).toBeDefined()
  expect(fits('tomatoes', '🍅 Cucumbers')).toBeUndefined()
})

test('a bag of what grows is filed under a category, a bag alone under none', () => {
  const want = { title: 'arugula', category_id: null }
  const bag = { title: 'Baby arugula bag', description: '' }
  expect(match(want, { ...bag, category_id: produce })).toBeDefined()
  expect(match(want, { ...bag, category_id: null })).toBeUndefined()
})
