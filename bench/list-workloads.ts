// The requests of `npm run bench:lists`, and their callers.
import pg from 'pg'
import { limits } from '#contract/constants.ts'
import { listingQuery, type Sort } from '#contract/listing-queries.ts'
import { encodeCursor } from '#server/features/listings/cursor.ts'
import { postalCodesWithin } from '#server/features/locations/postal-codes.ts'
import { type Market, prolific, prolificMember, rareCrops, sociable, sociableMember, town } from './market.ts'
import { print } from './setup.ts'
import { lowestCursor, randomInteger, randomPage } from './workloads.ts'

/** The radius in miles. */
const radii = [5, 25, 100] as const
type Radius = (typeof radii)[number]

/**
 * The callers: members with many friends, with many listings, in the town, or with a page of listings within a radius, either
 * anywhere or in a sparse region.
 */
export type Callers = 'sociable' | 'prolific' | 'town' | `anywhere ${Radius}` | `remote ${Radius}`

/** A kind of list with its paths. Successive requests ask for different pages. */
export interface ListWorkload {
  readonly callers: Callers
  path(market: Market): string
}

const list = (query: string, callers: Callers = 'sociable'): ListWorkload => ({
  callers,
  path: () => `/api/listings?${query}`,
})

function pathFrom(market: Market, query: string, key = 0): string {
  const fields = new URLSearchParams(query)
  const types = fields.getAll('type_id')
  const list = listingQuery.parse({
    ...Object.fromEntries(fields),
    ...(types.length > 0 && { type_id: types }),
  })
  const cursor = encodeCursor(
    { part: 0, id: randomInteger(lowestCursor, market.listings), key, relaxed: false },
    list,
  )
  return `/api/listings?${query}&cursor=${cursor}`
}

/** Pages from random ids. */
const anywhere = (query: string, sort: Sort = 'newest'): ListWorkload => ({
  callers: 'sociable',
  path: (market) => pathFrom(market, `${query}&sort=${sort}`),
})

/** Pages from random prices. */
const anyPrice = (query: string, sort: Sort): ListWorkload => ({
  callers: 'sociable',
  path: (market) => pathFrom(market, `${query}&sort=${sort}`, randomInteger(50, 4000) / 100),
})

/** The baseline: pages from random ids with a random or no category. */
export const plainPage: ListWorkload = { callers: 'sociable', path: randomPage }

const oneOf = (queries: readonly string[], callers: Callers = 'sociable'): ListWorkload => ({
  callers,
  path: () => `/api/listings?public=true&${queries[randomInteger(0, queries.length - 1)]}`,
})

const common = ['tomatoes', 'zucchini', 'lemon', 'rhubarb', 'beans', 'garlic', 'chard']
const rare = Object.keys(rareCrops)
const typos = ['zuchini', 'rubarb', 'tomatos', 'strawbery', 'cucumbr', 'loofa', 'celeriack']

export const listWorkloads: Readonly<Record<string, ListWorkload>> = {
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
    path: () => `/api/listings?user_id=${prolificMember(randomInteger(0, prolific.members - 1))}`,
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

/** Lists with combined filters. They may take longer. */
export function isCombined(name: string): boolean {
  return /^(q, (lowest|of|friends|25)|100 miles|25 miles, lowest|friends, lowest)/.test(name)
}

/** The maximum number of callers of a kind. */
const callersPerKind = 100
/** One of this many members is a candidate for a caller with listings around. */
const candidateStep = 10

/** Finds the callers. They have the same ids in every market of a size. */
export async function callersOf(market: Market): Promise<Readonly<Record<Callers, readonly number[]>>> {
  const client = new pg.Client({ connectionString: market.url })
  await client.connect()
  try {
    const { rows: inTown } = await client.query<{ id: string }>(
      'select id from users where postal_code_id = $1 order by id limit $2',
      [town, callersPerKind],
    )
    const kinds: [Callers, number[]][] = [
      ['sociable', Array.from({ length: sociable.members }, (_, index) => sociableMember(index))],
      ['prolific', Array.from({ length: callersPerKind }, (_, index) => prolificMember(index * 2))],
      ['town', inTown.map(({ id }) => Number(id))],
      ...(await callersAround(client, market)),
    ]
    return Object.fromEntries(kinds) as Record<Callers, number[]>
  } finally {
    await client.end()
  }
}

/** The approximate number of listings around a remote member. */
const listingsAroundRemote = 2 * limits.page.size

/** Chooses callers with more than a page of listings around them: with fewer, markets can't be compared. */
async function callersAround(client: pg.Client, market: Market): Promise<[Callers, number[]][]> {
  const { rows: members } = await client.query<{ id: string; postal_code_id: number }>(
    'select id, postal_code_id from users where id % $1 = 2 order by id',
    [candidateStep],
  )
  const { rows: counts } = await client.query<{ postal_code_id: number; listed: string }>(
    'select postal_code_id, count(*) as listed from listings where is_public and is_active group by 1',
  )
  const listedAt = new Map(counts.map(({ postal_code_id, listed }) => [postal_code_id, Number(listed)]))
  return radii.flatMap((radius) => {
    const withFullPage = members
      .map(({ id, postal_code_id }) => {
        const around = postalCodesWithin(postal_code_id, radius).reduce(
          (sum, near) => sum + (listedAt.get(near) ?? 0),
          0,
        )
        return { id: Number(id), around }
      })
      .filter(({ around }) => around > limits.page.size)
    const step = Math.max(1, Math.floor(withFullPage.length / callersPerKind))
    const anywhere = withFullPage.filter((_, index) => index % step === 0).slice(0, callersPerKind)
    const distanceFromRemote = ({ around }: { around: number }) => Math.abs(around - listingsAroundRemote)
    const remote = withFullPage
      .toSorted((a, b) => distanceFromRemote(a) - distanceFromRemote(b))
      .slice(0, callersPerKind)
    print(
      `${market.listings.toLocaleString('en')}, within ${radius} miles: anywhere ${range(anywhere)}, remote ${range(remote)} listings.`,
    )
    return [
      [`anywhere ${radius}` as const, anywhere.map(({ id }) => id)],
      [`remote ${radius}` as const, remote.map(({ id }) => id)],
    ] satisfies [Callers, number[]][]
  })
}

function range(callers: readonly { readonly around: number }[]): string {
  const around = callers.map(({ around }) => around)
  return `${Math.min(...around)}–${Math.max(...around)}`
}
