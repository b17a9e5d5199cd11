import { types } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as listings from '#contract/listings.ts'
import * as trades from '#contract/trades.ts'
import type { Fixture, Role } from './fixture.ts'
import { type Input, noInput, type Row, row } from './row.ts'

/** Requests a listing of the owner for the neighbor. */
async function requestTrade({ listing, neighbor }: Fixture) {
  const { id } = await listing()
  return neighbor.call(trades.createTrade, { body: { listing_id: id } })
}

async function promiseTrade(fixture: Fixture) {
  const { id } = await requestTrade(fixture)
  return fixture.cast.owner.call(trades.acceptTrade, { params: { id } })
}

async function completeTrade(fixture: Fixture) {
  const { id } = await promiseTrade(fixture)
  return fixture.cast.owner.call(trades.handOverTrade, { params: { id }, body: {} })
}

const tomorrow = () => {
  const start = Date.now() + 24 * 60 * 60 * 1000
  return { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 3_600_000).toISOString() }
}

const exchange = { body: { title: 'Leeks', type_id: types.exchange } }

/** Posts a listing of the caller. Returns an unused id for guests and suspended members, who can't post. */
async function postExchange({ cast }: Fixture, role: Role): Promise<number> {
  if (role === 'guest' || role === 'suspended') return 987_654_321
  return (await cast[role].call(listings.createListing, exchange)).id
}

/** Adds a row of a call that only the parties of a trade may make. Others get 404. */
function partyOnlyRow<E extends Endpoint>(
  endpoint: E,
  done: number,
  begin: (fixture: Fixture) => Promise<{ id: number }>,
  input: (id: number) => Input<E>,
): Row {
  return row(endpoint, 'of the owner and a neighbor', [404, 404, done, 404], async (fixture) =>
    input((await begin(fixture)).id),
  )
}

export const rowsOfTrades: readonly Row[] = [
  row(trades.createTrade, 'for a public listing', [201, 201, 422, 403], async ({ listing }) => ({
    body: { listing_id: (await listing()).id },
  })),
  row(
    trades.createTrade,
    "for a listing for the owner's friends",
    [404, 201, 422, 404],
    async ({ listing }) => ({
      body: { listing_id: (await listing({ is_public: false })).id },
    }),
  ),
  row(
    trades.createTrade,
    'for a listing that the owner has hidden',
    [404, 404, 422, 404],
    async ({ listing }) => ({
      body: { listing_id: (await listing({ is_active: false })).id },
    }),
  ),
  row(trades.createTrade, 'for a listing of a suspended member', 404, ({ suspendedListing }) => ({
    body: { listing_id: suspendedListing.id },
  })),
  row(trades.createTrade, 'for a listing that has ended', [409, 409, 422, 403], async (fixture) => ({
    body: { listing_id: (await fixture.endedListing()).id },
  })),
  row(trades.createTrade, 'a swap', [201, 201, 422, 403], async (fixture, role) => ({
    body: { listing_id: (await fixture.listing()).id, offer_listing_id: await postExchange(fixture, role) },
  })),
  row(trades.createTrade, 'a ring', [201, 201, 422, 403], async (fixture, role) => {
    const { id } = await fixture.listing({ type_id: types.exchange })
    const { id: neighbors } = await fixture.neighbor.call(listings.createListing, exchange)
    return { body: { ring: [id, neighbors, await postExchange(fixture, role)] } }
  }),
  row(trades.listRings, 'for oneself', 200, noInput),
  row(trades.listTrades, "one's own", 200, () => ({ query: {} })),
  row(trades.listTrades, 'about a listing of the owner', 200, async ({ listing }) => ({
    query: { listing_id: (await listing()).id },
  })),
  partyOnlyRow(trades.getTrade, 200, requestTrade, (id) => ({ params: { id } })),
  partyOnlyRow(trades.acceptTrade, 200, requestTrade, (id) => ({ params: { id } })),
  partyOnlyRow(trades.declineTrade, 200, requestTrade, (id) => ({ params: { id } })),
  partyOnlyRow(trades.withdrawTrade, 200, promiseTrade, (id) => ({ params: { id } })),
  partyOnlyRow(trades.handOverTrade, 200, promiseTrade, (id) => ({ params: { id }, body: {} })),
  partyOnlyRow(
    trades.denyHandOver,
    200,
    async (fixture) => {
      const { id } = await promiseTrade(fixture)
      return fixture.neighbor.call(trades.handOverTrade, { params: { id }, body: {} })
    },
    (id) => ({ params: { id } }),
  ),
  partyOnlyRow(trades.setPickupPlace, 200, promiseTrade, (id) => ({
    params: { id },
    body: { place: 'The gate' },
  })),
  partyOnlyRow(trades.changePickup, 200, promiseTrade, (id) => ({ params: { id }, body: tomorrow() })),
  partyOnlyRow(
    trades.getPickupCalendar,
    200,
    async (fixture) => {
      const { id } = await promiseTrade(fixture)
      await fixture.neighbor.call(trades.changePickup, { params: { id }, body: tomorrow() })
      return fixture.cast.owner.call(trades.changePickup, { params: { id }, body: { accept: true } })
    },
    (id) => ({ params: { id } }),
  ),
  partyOnlyRow(trades.thankForTrade, 201, completeTrade, (id) => ({
    params: { id },
    body: { text: 'Thank you!' },
  })),
  row(trades.listThanks, 'to the owner', 200, ({ cast }) => ({ params: { id: cast.owner.id }, query: {} })),
  row(trades.listThanks, 'to a suspended member', 404, ({ cast }) => ({
    params: { id: cast.suspended.id },
    query: {},
  })),
  row(trades.hideThanks, 'that the owner has received', [404, 404, 204, 404], async (fixture) => {
    const { id } = await completeTrade(fixture)
    const thanks = await fixture.neighbor.call(trades.thankForTrade, {
      params: { id },
      body: { text: 'Thanks!' },
    })
    return { params: { id: thanks.id } }
  }),
]
