import { sql } from 'kysely'
import { states, types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { acceptTrade, createTrade, handOverTrade, thankForTrade } from '#contract/trades.ts'
import { createWant } from '#contract/wants.ts'
import { updateSwaps } from '#server/features/matches/finding-queries.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { startPushService } from '#test/push-service.ts'
import { zoneWhereItIs } from '#test/time-zones.ts'
import { newWorld } from '#test/world.ts'
import type { Facts, ListingFacts } from './reference.ts'

const names = ['ann', 'bob', 'cat', 'dot', 'eve'] as const
/** The crops of the members' listings, two of each member. */
export const crops = [
  'plums',
  'figs',
  'garlic',
  'leeks',
  'spinach',
  'kale',
  'quinces',
  'basil',
  'beans',
  'carrots',
]
export const listingCount = crops.length
export const memberCount = names.length

/** The listings that each member wants: a ring of ann, bob and cat, swaps of ann and dot, and of dot and eve. */
export const wanted: readonly (readonly number[])[] = [
  [4, 7],
  [0, 8],
  [2, 6],
  [8, 1, 3],
  [6, 3, 1],
]
/** Requests: the member who asks, and the listing. */
const requests = [
  [1, 1],
  [2, 3],
  [4, 7],
] as const

/** A listing with its facts. */
export interface Posted {
  readonly id: number
  readonly owner: number
  readonly title: string
  readonly crop: string
  readonly photo: string
}

/** Starts a server with members whose listings are in matches, swaps, rings, trades, messages and notifications. */
export async function newVisibilityWorld() {
  const push = await startPushService()
  const world = await newWorld({ config: { push: push.settings } })
  // The test sets facts in the database, on which no repeated job may act.
  await sql`delete from jobs.schedule`.execute(world.db)
  const members: readonly Actor[] = await world.members(...names)
  const member = (index: number): Actor => members[index] ?? unknownIndex(index)
  const browsers = await Promise.all(
    members.map(async (actor) => {
      await world.confirm(actor)
      await actor.call(updateProfile, { body: { zip_code: '97214' } })
      await actor.call(updatePreferences, { body: { time_zone: zoneWhereItIs(12) } })
      await actor.call(updateProfile, { body: { zip_code: '97214' } })
      const browser = push.browser()
      await actor.call(subscribeToPush, { body: browser.subscription })
      return browser
    }),
  )
  const listings: Posted[] = []
  for (const [index, crop] of crops.entries()) {
    const owner = Math.floor(index / 2)
    const title = `${crop} of ${names[owner]}`
    const body = { title, type_id: types.exchange }
    const { id, featured_image } = await member(owner).call(createListing, { body, file: await photo() })
    listings.push({ id, owner, title, crop, photo: featured_image?.replace('images/', '') ?? '' })
  }
  const idOf = (index: number) => listings[index]?.id ?? unknownIndex(index)
  await world.jobsDone()
  for (const [index, wants] of wanted.entries())
    for (const want of wants)
      await member(index).call(createWant, { body: { title: crops[want] ?? '', category_id: null } })
  await world.jobsDone()
  for (const [taker, listing] of requests)
    await member(taker).call(createTrade, { body: { listing_id: idOf(listing) } })
  await giveAway({ listing_id: idOf(5), giver: member(2), taker: member(3) })
  for (const index of names.keys())
    await member((index + 2) % memberCount).call(sendMessage, {
      body: { receiver_id: member(index).id, content: 'Is it still there?', listing_id: idOf(2 * index) },
    })
  await world.jobsDone()
  return {
    world,
    members,
    member,
    listings,
    browsers,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await push.stop()
    },
  }
}

export type VisibilityWorld = Awaited<ReturnType<typeof newVisibilityWorld>>

function unknownIndex(index: number): never {
  throw new RangeError(`There is no ${index}`)
}

/** Trades a listing until it is handed over and thanked for. */
async function giveAway({ listing_id, giver, taker }: { listing_id: number; giver: Actor; taker: Actor }) {
  const { id } = await taker.call(createTrade, { body: { listing_id } })
  await giver.call(acceptTrade, { params: { id } })
  await giver.call(handOverTrade, { params: { id }, body: {} })
  await taker.call(thankForTrade, { params: { id }, body: { text: 'Lovely' } })
}

/** Sets the facts in the database, without the events that would also end trades, matches and notifications. */
export async function setFacts(
  { world: { db }, members, member, listings }: VisibilityWorld,
  facts: Facts,
  listingFacts: readonly ListingFacts[],
): Promise<void> {
  const past = new Date(Date.now() - 1000).toISOString()
  const future = new Date(Date.now() + 86_400_000).toISOString()
  for (const [index, { id }] of members.entries())
    await db
      .updateTable('users')
      .set({ suspended_at: facts.members[index]?.suspended ? past : null })
      .where('id', '=', id)
      .execute()
  await db.deleteFrom('friendships').execute()
  await db.deleteFrom('blocks').execute()
  const idsOf = (one: string) => one.split(' ').map((index) => member(Number(index)).id)
  for (const friendship of facts.friends) {
    const [low_id = 0, high_id = 0] = idsOf(friendship)
    await db
      .insertInto('friendships')
      .values({ low_id, high_id, requester_id: low_id, status: 'accepted' })
      .execute()
  }
  for (const block of facts.blocks) {
    const [blocker_id = 0, blocked_id = 0] = idsOf(block)
    await db.insertInto('blocks').values({ blocker_id, blocked_id }).execute()
  }
  for (const [index, { id }] of listings.entries()) {
    const listing = listingFacts[index]
    if (!listing) continue
    await db
      .updateTable('listings')
      .set({
        is_active: listing.active,
        is_public: listing.public,
        hidden_at: listing.hidden ? past : null,
        // A first listing that waits for the desk, or one that the previous release has shown.
        is_held: index % 2 === 0,
        expires_at: listing.expired ? past : future,
        // The job marks a listing up to a minute after it has expired.
        ended_at: listing.expired && index % 2 === 0 ? past : null,
        state_id: states[listing.state],
      })
      .where('id', '=', id)
      .execute()
  }
  for (const { id } of members)
    await updateSwaps(
      db,
      id,
      members.map((other) => other.id).filter((other) => other !== id),
    )
  await sql`update matches set mail_pending = true, push_pending = true`.execute(db)
  await sql`update deliveries set due_at = now(), sent_at = null where topic = 'matches'`.execute(db)
}
