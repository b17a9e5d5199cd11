import { expect, test } from 'vitest'
import { categories, types } from '#contract/constants.ts'
import { countChoices, digitsOf, draftOf, emptyDraft, filterOfDraft, rangeProblem } from './filter-draft.ts'
import { marketFilter, marketSearch } from './market-search.ts'

test('an address says all that is chosen, and is asked of the server as such', () => {
  const search = marketSearch({
    tab: 'friends',
    category: 'seeds',
    q: ' beans ',
    sort: 'lowest',
    show: 'sell,giveaway',
    min: 2,
    max: 20,
    near: 25,
  })

  expect(marketFilter(search)).toEqual({
    category_id: categories.seeds,
    q: 'beans',
    sort: 'lowest',
    type_id: [types.sell, types.giveaway],
    min_price: 2,
    max_price: 20,
    near: 25,
  })
  expect(countChoices(search)).toBe(4)
})

test('an address can hold a filter that is being chosen, which is asked of nobody yet', () => {
  const search = marketSearch({ q: 'beans', choosing: { sort: 'lowest', min: 2, max: '9', near: 7 } })

  expect(search).toEqual({ q: 'beans', choosing: { sort: 'lowest', min: 2 } })
  expect(marketFilter(search)).toEqual(marketFilter({ q: 'beans' }))
  expect(countChoices(search)).toBe(0)
  expect(marketSearch({ choosing: {} })).toEqual({ choosing: {} })
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
    choosing: 'cheapest',
  },
  { choosing: null },
  { q: ['beans'], show: ['sell'], min: 1.5, max: Number.NaN, near: '5' },
  // The ends of the range narrow nothing, and all types are no choice.
  { min: 0, max: 100, show: 'giveaway,sell,exchange' },
])('what makes no sense in an address, or says nothing, is left out: %j', (address) => {
  expect(marketSearch(address)).toEqual({})
})

test('a number in the address can be a word to search for', () => {
  expect(marketSearch({ q: 2024 })).toEqual({ q: '2024' })
})

test('the untouched filter is none: 0 to 100 means any price, for 100 is 100 and more', () => {
  expect(filterOfDraft(draftOf({}, false), false)).toEqual({})
  expect(filterOfDraft({ ...emptyDraft, min: '', max: '' }, false)).toEqual({})
  expect(filterOfDraft({ ...emptyDraft, min: '5', max: '100' }, false)).toEqual({ min: 5 })
  expect(filterOfDraft({ ...emptyDraft, max: '250' }, false)).toEqual({ max: 250 })
})

test('a filter comes back from its draft as it was', () => {
  const filter = { sort: 'oldest', show: 'exchange', min: 3, max: 9, near: 5 } as const
  expect(filterOfDraft(draftOf(filter, false), false)).toEqual(filter)
})

test('with words the best come first without saying, and newest is said', () => {
  expect(draftOf({}, true).sort).toBe('best')
  expect(filterOfDraft(draftOf({}, true), true)).toEqual({})
  expect(filterOfDraft({ ...emptyDraft, sort: 'newest' }, true)).toEqual({ sort: 'newest' })
})

test('prices keep their digits only', () => {
  expect(digitsOf('$1,250.50 or so')).toBe('12505')
  expect(digitsOf('-5')).toBe('5')
  expect(digitsOf('twelve')).toBe('')
})

test('a range that is upside down is told, and one that ends in 100 and more is not', () => {
  expect(rangeProblem({ ...emptyDraft, min: '20', max: '10' })).toBe(
    'The lowest price must not be above the highest',
  )
  expect(rangeProblem({ ...emptyDraft, min: '200', max: '100' })).toBeUndefined()
  expect(rangeProblem({ ...emptyDraft, min: '20', max: '' })).toBeUndefined()
})
