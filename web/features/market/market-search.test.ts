import { expect, test } from 'vitest'
import { categories, types } from '#contract/constants.ts'
import { countChoices, digitsOf, draftOf, emptyDraft, filterOfDraft, rangeProblem } from './filter-draft.ts'
import { marketFilter, parseMarketSearch } from './market-search.ts'

test('converts all search parameters to the filter of the API call', () => {
  const search = parseMarketSearch({
    tab: 'friends',
    category: 'seeds',
    q: ' beans ',
    sort: 'lowest',
    show: 'sell,giveaway',
    min: 2,
    max: 20,
    near: 25,
    area: 41_051,
  })

  expect(marketFilter(search)).toEqual({
    category_id: categories.seeds,
    q: 'beans',
    sort: 'lowest',
    type_id: [types.sell, types.giveaway],
    min_price: 2,
    max_price: 20,
    near: 25,
    area: 41_051,
  })
  expect(countChoices(search, true)).toBe(4)
})

test('keeps an unsaved filter in the address without applying it', () => {
  const search = parseMarketSearch({ q: 'beans', choosing: { sort: 'lowest', min: 2, max: '9', near: 7 } })

  expect(search).toEqual({ q: 'beans', choosing: { sort: 'lowest', min: 2 } })
  expect(marketFilter(search)).toEqual(marketFilter({ q: 'beans' }))
  expect(countChoices(search, false)).toBe(0)
  expect(parseMarketSearch({ choosing: {} })).toEqual({ choosing: {} })
})

test.each([
  {
    tab: 'everyone',
    category: 'tools',
    q: 'x',
    sort: 'cheapest',
    show: 'rent',
    min: -1,
    max: 'ten',
    near: 7,
    area: -1,
    choosing: 'cheapest',
  },
  { choosing: null },
  { q: ['beans'], show: ['sell'], min: 1.5, max: Number.NaN, near: '5' },
  // The ends of the range narrow nothing, and all types are no choice.
  { min: 0, max: 100, show: 'giveaway,sell,exchange' },
])('leaves out invalid and default search parameters: %j', (address) => {
  expect(parseMarketSearch(address)).toEqual({})
})

test('reads a number in the address as a search word', () => {
  expect(parseMarketSearch({ q: 2024 })).toEqual({ q: '2024' })
})

test('leaves out the default price range, where 100 means 100 and more', () => {
  expect(filterOfDraft(draftOf({}, false), false)).toEqual({})
  expect(filterOfDraft({ ...emptyDraft, min: '', max: '' }, false)).toEqual({})
  expect(filterOfDraft({ ...emptyDraft, min: '5', max: '100' }, false)).toEqual({ min: 5 })
  expect(filterOfDraft({ ...emptyDraft, max: '250' }, false)).toEqual({ max: 250 })
})

test('converts a filter to a draft and back', () => {
  const filter = { sort: 'oldest', show: 'exchange', min: 3, max: 9, near: 5 } as const
  expect(filterOfDraft(draftOf(filter, false), false)).toEqual(filter)
})

test('sorts a search by best as the default, so that newest is in the address', () => {
  expect(draftOf({}, true).sort).toBe('best')
  expect(filterOfDraft(draftOf({}, true), true)).toEqual({})
  expect(filterOfDraft({ ...emptyDraft, sort: 'newest' }, true)).toEqual({ sort: 'newest' })
})

test('keeps only the digits of a price, without its cents', () => {
  expect(digitsOf('$1,250.50 or so')).toBe('1250')
  expect(digitsOf('1.250,50 €')).toBe('1250')
  expect(digitsOf('١٬٢٥٠٫٥٠')).toBe('1250')
  expect(digitsOf('$50.00')).toBe('50')
  expect(digitsOf('1,2,3')).toBe('123')
  expect(digitsOf('1234567')).toBe('12345')
  expect(digitsOf('-5')).toBe('5')
  expect(digitsOf('twelve')).toBe('')
})

test('reports an inverted price range, unless it ends at 100 and more', () => {
  expect(rangeProblem({ ...emptyDraft, min: '20', max: '10' })).toBe(
    'The lowest price must not be above the highest',
  )
  expect(rangeProblem({ ...emptyDraft, min: '200', max: '100' })).toBeUndefined()
  expect(rangeProblem({ ...emptyDraft, min: '20', max: '' })).toBeUndefined()
})

test.each<[string, Parameters<typeof countChoices>[0], boolean, number]>([
  ['nothing', {}, false, 0],
  ['the order of a list without words', { sort: 'newest' }, false, 0],
  ['the order of a search', { sort: 'best' }, true, 0],
  ['the order of a search whose words are gone', { sort: 'best' }, false, 0],
  ['another order of a search', { sort: 'newest' }, true, 1],
  ['another order', { sort: 'lowest' }, false, 1],
  ['a price range as one', { min: 2, max: 20 }, false, 1],
  ['all', { sort: 'oldest', show: 'sell', max: 20, near: 5 }, false, 4],
])('counts %s', (_, filter, hasWords, count) => {
  expect(countChoices(filter, hasWords)).toBe(count)
})
