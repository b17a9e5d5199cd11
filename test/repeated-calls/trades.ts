import { types } from '#contract/constants.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { acceptTrade, createTrade, handOverTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import type { World } from '#test/world.ts'

/** Lets a giver promise plums to a taker. */
export async function acceptedTrade(world: World) {
  const [giver, taker] = await world.uniqueMembers('giver', 'taker')
  const { id: listing_id } = await giver.call(createListing, {
    body: { title: 'Plums', type_id: types.giveaway },
  })
  const { id } = await taker.call(createTrade, { body: { listing_id } })
  await giver.call(acceptTrade, { params: { id } })
  return { giver, taker, trade: { id } }
}

/** Lets a giver hand plums over to a taker. */
export async function doneTrade(world: World) {
  const { giver, taker, trade } = await acceptedTrade(world)
  await giver.call(handOverTrade, { params: trade, body: {} })
  return { giver, taker, trade }
}

const crops = ['plums', 'figs', 'garlic']

/** Returns the listings of a ring that is possible, and the member who may propose it. */
export async function openRing(world: World) {
  const members = await world.uniqueMembers('one', 'two', 'three')
  const listings: Listing[] = []
  for (const [place, member] of members.entries())
    listings.push(
      await member.call(createListing, { body: { title: crops[place] ?? '', type_id: types.exchange } }),
    )
  for (const [place, member] of members.entries())
    await member.call(createWant, { body: { title: crops[(place + 2) % 3] ?? '' } })
  await world.jobsDone()
  return { proposer: members[0], ring: listings.map(({ id }) => id) }
}
