import { prolific, prolificMember, rareCrops } from './market.ts'
import { type AskedMarket, between } from './workloads.ts'

/** Within how many miles it is asked for. */
export const radii = [5, 25, 100] as const
type Radius = (typeof radii)[number]

/**
 * Who asks: members with many friends, with many listings, of the town, or with a page of listings around them within so many
 * miles, be they anywhere or with hardly more than that.
 */
export type Callers = 'sociable' | 'prolific' | 'town' | `anywhere ${Radius}` | `remote ${Radius}`

/** A kind of list, as its paths; each request asks for another page where there are several. */
export interface Question {
  readonly callers: Callers
  path(market: AskedMarket): string
}

const list = (query: string, callers: Callers = 'sociable'): Question => ({
  callers,
  path: () => `/api/listings?${query}`,
})

/** Pages that start anywhere by id. */
const anywhere = (query: string, sort: 'newest' | 'oldest' = 'newest'): Question => ({
  callers: 'sociable',
  path: ({ listings, cursors }) =>
    `/api/listings?${query}&sort=${sort}&cursor=${cursors.cursorOf(sort, { stretch: 0, id: between(listings / 10, listings), key: 0 })}`,
})

/** Pages that start at any price. */
const anyPrice = (query: string, sort: 'highest' | 'lowest'): Question => ({
  callers: 'sociable',
  path: ({ listings, cursors }) =>
    `/api/listings?${query}&sort=${sort}&cursor=${cursors.cursorOf(sort, { stretch: 0, id: between(1, listings), key: between(50, 4000) / 100 })}`,
})

const oneOf = (queries: readonly string[], callers: Callers = 'sociable'): Question => ({
  callers,
  path: () => `/api/listings?public=true&${queries[between(0, queries.length - 1)]}`,
})

const common = ['tomatoes', 'zucchini', 'lemon', 'rhubarb', 'beans', 'garlic', 'chard']
const rare = Object.keys(rareCrops)
const typos = ['zuchini', 'rubarb', 'tomatos', 'strawbery', 'cucumbr', 'loofa', 'celeriack']

export const questions: Readonly<Record<string, Question>> = {
  'one type': anywhere('public=true&type_id=2'),
  'two types': anywhere('public=true&type_id=1&type_id=3'),
  'a range of prices': anywhere('public=true&min_price=5&max_price=15'),
  'sales in a narrow range': anywhere('public=true&type_id=1&min_price=5&max_price=6'),
  'category, type and range': anywhere('public=true&category_id=2&type_id=1&min_price=5&max_price=15'),
  oldest: anywhere('public=true', 'oldest'),
  highest: anyPrice('public=true', 'highest'),
  lowest: anyPrice('public=true', 'lowest'),
  'lowest of a category': anyPrice('public=true&category_id=2', 'lowest'),
  'highest in a range': list('public=true&sort=highest&min_price=5&max_price=15'),
  'all one may see': anywhere('limit=24'),
  'one’s own': list('mine=true', 'prolific'),
  'a member’s': {
    callers: 'sociable',
    path: () => `/api/listings?user_id=${prolificMember(between(0, prolific.members - 1))}`,
  },
  friends: list('friends=true'),
  'friends, later': anywhere('friends=true'),
  'friends, one type': list('friends=true&type_id=2'),
  'friends, lowest': list('friends=true&sort=lowest'),
  'friends, nearest': list('friends=true&sort=nearest'),
  'q, a common word': oneOf(common.map((word) => `q=${word}`)),
  'q, a rare word': oneOf(rare.map((word) => `q=${word}`)),
  'q, two words': oneOf(common.map((word) => `q=heirloom+${word}`)),
  'q, words of descriptions': oneOf(['q=without+sprays', 'q=bag+garden', 'q=garlic+sprays']),
  'q, a typo': oneOf(typos.map((word) => `q=${word}`)),
  'q, half a word': oneOf(['toma', 'zucc', 'strawb', 'rhub'].map((word) => `q=${word}`)),
  'q, lowest': oneOf([...common, ...rare].map((word) => `q=${word}&sort=lowest`)),
  'q, of a category and type': oneOf(common.map((word) => `q=${word}&category_id=2&type_id=3`)),
  'q, friends': list('friends=true&q=tomatoes'),
  'q, 25 miles, town': oneOf(
    [...common, ...rare].map((word) => `q=${word}&near=25`),
    'town',
  ),
  'q, 25 miles, anywhere': oneOf(
    [...common, ...rare].map((word) => `q=${word}&near=25`),
    'anywhere 25',
  ),
  'q, 25 miles, remote': oneOf(
    [...common, ...rare].map((word) => `q=${word}&near=25`),
    'remote 25',
  ),
  '5 miles, town': list('public=true&near=5', 'town'),
  '25 miles, town': list('public=true&near=25', 'town'),
  '100 miles, town': list('public=true&near=100', 'town'),
  '5 miles, anywhere': list('public=true&near=5', 'anywhere 5'),
  '25 miles, anywhere': list('public=true&near=25', 'anywhere 25'),
  '100 miles, anywhere': list('public=true&near=100', 'anywhere 100'),
  '5 miles, remote': list('public=true&near=5', 'remote 5'),
  '25 miles, remote': list('public=true&near=25', 'remote 25'),
  '100 miles, remote': list('public=true&near=100', 'remote 100'),
  '25 miles, lowest': list('public=true&near=25&sort=lowest', 'anywhere 25'),
  'nearest, town': list('public=true&sort=nearest', 'town'),
  'nearest, anywhere': list('public=true&sort=nearest'),
  'nearest, remote': list('public=true&sort=nearest', 'remote 25'),
  'nearest of a type and category': list('public=true&sort=nearest&type_id=2&category_id=1'),
}
