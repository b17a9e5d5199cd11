import { randomUUID } from 'node:crypto'
import { register, uploadProfileImage } from '#contract/auth.ts'
import { states, types } from '#contract/constants.ts'
import { getFriendStatus, requestFriend, respondToFriend } from '#contract/friends.ts'
import { changeImage, type Photo, uploadImage } from '#contract/images.ts'
import { listListings } from '#contract/listing-queries.ts'
import { answerReminder } from '#contract/listing-reminders.ts'
import {
  createListing,
  getListing,
  type Listing,
  setListingImage,
  setVisibility,
  updateListing,
} from '#contract/listings.ts'
import { listMessages, sendMessage } from '#contract/messages.ts'
import { getPreferences, updatePreferences, updateProfile } from '#contract/profile.ts'
import { subscribeToPush } from '#contract/push.ts'
import { report } from '#contract/reports.ts'
import { changePickup, createTrade, getTrade, setPickupPlace, thankForTrade } from '#contract/trades.ts'
import { createWant, listWants, renameWant, replaceWant, saveWants, type Want } from '#contract/wants.ts'
import { reminderPath } from '#server/features/listing-reminders/reminder-link.ts'
import type { Actor } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import type { World } from '#test/world.ts'
import { rowsOfDesk } from './desk-rows.ts'
import { onlyOf, type Row, row } from './row.ts'
import { acceptedTrade, doneTrade, openRing } from './trades.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const plums = { title: 'Plums', type_id: types.giveaway }

const newListing = (owner: Actor, changes = {}) =>
  owner.call(createListing, { body: { ...plums, ...changes } })

const rowsOfMessages = [
  row(sendMessage, 'text with a client_id', [200, 409], ['Hello', 'Goodbye'], async (world) => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const client_id = randomUUID()
    return {
      call: (content) => ann.try(sendMessage, { body: { receiver_id: bob.id, content, client_id } }),
      stored: async () => {
        const messages = await ann.call(listMessages, { params: { id: bob.id }, query: {} })
        return onlyOf(messages.map(({ content }) => content))
      },
    }
  }),
]

/** Returns the only listing of the owner. Throws if there is another number of them. */
async function postedBy(owner: Actor): Promise<Listing> {
  const [posted, ...others] = await owner.call(listListings, { query: { mine: 'true' } })
  if (!posted || others.length > 0) throw new Error('There is not one listing')
  return posted
}

const rowsOfListings = [
  row(createListing, 'title with a client_id', [201, 409], ['Plums', 'Figs'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const client_id = randomUUID()
    return {
      call: (title) => ann.try(createListing, { body: { ...plums, title, client_id } }),
      stored: async () => (await postedBy(ann)).title,
    }
  }),
  ...(
    [
      ['another file', [640, 320]],
      ['an additional file', [null, 640]],
      ['a file that is left out', [640, null]],
    ] as const
  ).map(([what, widths]) =>
    row<number | null>(createListing, what, [201, 409], widths, async (world) => {
      const [ann] = await world.uniqueMembers('ann')
      const client_id = randomUUID()
      return {
        call: async (width) =>
          ann.try(createListing, {
            body: { ...plums, client_id },
            file: width === null ? undefined : await photo({ width, height: width }),
          }),
        stored: async () => (await postedBy(ann)).image?.width ?? null,
      }
    }),
  ),
  row(updateListing, 'title', [200, 200], ['Plums, ripe', 'Figs'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await newListing(ann)
    return {
      call: (title) => ann.try(updateListing, { params: { id }, body: { title } }),
      stored: async () => (await ann.call(getListing, { params: { id } })).title,
    }
  }),
  row(setVisibility, 'is_public', [200, 200], [false, true], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await newListing(ann)
    return {
      call: (is_public) => ann.try(setVisibility, { params: { id }, body: { is_public } }),
      stored: async () => (await ann.call(getListing, { params: { id } })).is_public,
    }
  }),
  row(setListingImage, 'photo', [200, 200], [640, 320], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await newListing(ann)
    return {
      call: async (width) =>
        ann.try(setListingImage, { params: { id }, body: {}, file: await photo({ width, height: width }) }),
      stored: async () => (await ann.call(getListing, { params: { id } })).image?.width,
    }
  }),
  row(answerReminder, 'answer', [200, 409], ['still_there', 'gone'] as const, async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await newListing(ann)
    const expires_at = new Date(Date.now() + dayMs).toISOString()
    await world.db.updateTable('listings').set({ expires_at }).where('id', '=', id).execute()
    const path = await reminderPath(world.db, { id, expires_at })
    const token = new URLSearchParams(path.slice(path.indexOf('?'))).get('token') ?? ''
    return {
      call: (answer) => world.guest().try(answerReminder, { body: { token, answer } }),
      stored: async () => {
        const now = await ann.call(getListing, { params: { id } })
        if (now.state_id === states.gone) return 'gone'
        return now.expires_at > expires_at ? 'still_there' : undefined
      },
    }
  }),
  row(changeImage, 'alternative text', [200, 200], ['A bucket', 'A bowl'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const uploaded: Photo = await ann.call(uploadImage, { body: {}, file: await photo() })
    const { id } = await newListing(ann, { image_ids: [uploaded.id] })
    return {
      call: (alt) => ann.try(changeImage, { params: { id: uploaded.id }, body: { alt } }),
      stored: async () => (await ann.call(getListing, { params: { id } })).images[0]?.alt,
    }
  }),
]

const wantTitle = async (member: Actor) =>
  onlyOf((await member.call(listWants, { query: {} })).map(({ title }) => title))

const newWant = (member: Actor): Promise<Want> => member.call(createWant, { body: { title: 'quinces' } })

const rowsOfWants = [
  ...[renameWant, replaceWant].map((endpoint) =>
    row(endpoint, 'title', [200, 200], ['figs', 'plums'], async (world) => {
      const [ann] = await world.uniqueMembers('ann')
      const { id } = await newWant(ann)
      return {
        call: (title) => ann.try(endpoint, { params: { id }, body: { title } }),
        stored: () => wantTitle(ann),
      }
    }),
  ),
  row(saveWants, 'renaming', [200, 200], ['figs', 'plums'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await newWant(ann)
    return {
      call: (title) => ann.try(saveWants, { body: { rename: [{ id, title }] } }),
      stored: () => wantTitle(ann),
    }
  }),
]

const rowsOfMembers = [
  row(register, 'username with an e-mail', [409, 409], ['first_of_all', 'second_of_all'], async (world) => ({
    call: (username) =>
      world.guest().try(register, {
        body: {
          username,
          email: 'all@example.com',
          first_name: 'Ann',
          last_name: 'Ash',
          password: 'plum-crumble-42',
        },
      }),
    stored: async () => {
      const query = world.db.selectFrom('users').select('username')
      return onlyOf((await query.where('email', '=', 'all@example.com').execute()).map((row) => row.username))
    },
  })),
  row(updateProfile, 'city', [200, 200], ['Salem', 'Bend'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    return {
      call: (city) => ann.try(updateProfile, { body: { city } }),
      stored: () => cityOf(world, ann),
    }
  }),
  row(uploadProfileImage, 'city', [200, 200], ['Salem', 'Bend'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    return {
      call: (city) => ann.try(uploadProfileImage, { body: { city } }),
      stored: () => cityOf(world, ann),
    }
  }),
  row(updatePreferences, 'match_radius', [200, 200], [5, 10], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    return {
      call: (match_radius) => ann.try(updatePreferences, { body: { match_radius } }),
      stored: async () => (await ann.call(getPreferences)).match_radius,
    }
  }),
  row(subscribeToPush, 'keys', [204, 204], ['A', 'B'], async (world) => {
    const [ann] = await world.uniqueMembers('ann')
    const endpoint = `https://push.example/${ann.id}`
    return {
      call: (key) =>
        ann.try(subscribeToPush, {
          body: { endpoint, keys: { p256dh: `B${key.repeat(86)}`, auth: key.repeat(22) } },
        }),
      stored: async () => {
        const query = world.db.selectFrom('push_subscriptions').select('auth')
        return onlyOf((await query.where('endpoint', '=', endpoint).execute()).map(({ auth }) => auth[0]))
      },
    }
  }),
  row(report, 'reason', [202, 202], ['Rude', 'Rude again'], async (world) => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    return {
      call: (reason) => ann.try(report, { body: { user_id: bob.id, reason } }),
      stored: async () => {
        const query = world.db.selectFrom('reports').select('reason').where('reporter_id', '=', ann.id)
        const reasons = (await query.orderBy('id').execute()).map(({ reason }) => reason)
        return new Set(reasons).size === reasons.length ? reasons.at(-1) : reasons
      },
    }
  }),
  row(respondToFriend, 'answer', [404, 404], [true, false], async (world) => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const { request_id } = await bob.call(requestFriend, { body: { friend_id: ann.id } })
    return {
      call: (accept) => ann.try(respondToFriend, { body: { request_id: request_id ?? 0, accept } }),
      stored: async () => (await ann.call(getFriendStatus, { params: { id: bob.id } })).status === 'accepted',
    }
  }),
]

async function cityOf({ db }: World, { id }: Actor) {
  return (await db.selectFrom('users').select('city').where('id', '=', id).executeTakeFirst())?.city
}

/** A proposal of a trade as a text, to compare it with what is stored. */
const proposalOf = async (member: Actor, id: number) => {
  const { legs, note } = await member.call(getTrade, { params: { id } })
  return {
    listings: legs.map(({ listing }) => listing.title),
    quantities: legs.map(({ quantity }) => quantity),
    note,
  }
}

const rowsOfTrades = [
  row(
    createTrade,
    'note',
    [200, 409],
    [
      { listings: ['Plums'], note: 'On Friday?' },
      { listings: ['Plums'], note: 'On Sunday?' },
    ],
    async (world) => {
      const [ann, bob] = await world.uniqueMembers('ann', 'bob')
      const listing = await newListing(ann)
      return {
        call: ({ note }) => bob.try(createTrade, { body: { listing_id: listing.id, note } }),
        stored: () => withoutQuantities(world, bob),
      }
    },
  ),
  row(
    createTrade,
    'offered listing',
    [200, 409],
    [
      { listings: ['Plums'], note: null },
      { listings: ['Plums', 'Figs'], note: null },
    ],
    async (world) => {
      const [ann, bob] = await world.uniqueMembers('ann', 'bob')
      const listing = await newListing(ann)
      const offer = await newListing(bob, { title: 'Figs' })
      return {
        call: ({ listings }) =>
          bob.try(createTrade, {
            body: { listing_id: listing.id, ...(listings.length > 1 && { offer_listing_id: offer.id }) },
          }),
        stored: () => withoutQuantities(world, bob),
      }
    },
  ),
  row(createTrade, 'quantity', [200, 409], [2, 3], async (world) => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const listing = await newListing(ann, { quantity: 5 })
    return {
      call: (quantity) => bob.try(createTrade, { body: { listing_id: listing.id, quantity } }),
      stored: async () => (await onlyTradeOf(world, bob)).quantities[0],
    }
  }),
  row(createTrade, 'note to a ring', [200, 409], ['On Friday?', 'On Sunday?'], async (world) => {
    const { proposer, ring } = await openRing(world)
    return {
      call: (note) => proposer.try(createTrade, { body: { ring, note } }),
      stored: async () => (await onlyTradeOf(world, proposer)).note,
    }
  }),
  row(changePickup, 'time', [200, 200], [1, 2], async (world) => {
    const { giver, trade } = await acceptedTrade(world)
    const midnight = Math.ceil(Date.now() / dayMs) * dayMs
    const at = (days: number, hours: number) =>
      new Date(midnight + days * dayMs + hours * hourMs).toISOString()
    const days = new Map([1, 2].map((days) => [at(days, 0), days]))
    return {
      call: (days) =>
        giver.try(changePickup, { params: trade, body: { starts_at: at(days, 0), ends_at: at(days, 1) } }),
      stored: async () => days.get((await giver.call(getTrade, { params: trade })).pickup?.starts_at ?? ''),
    }
  }),
  row(setPickupPlace, 'place', [200, 200], ['The gate', 'The shed'], async (world) => {
    const { giver, taker, trade } = await acceptedTrade(world)
    return {
      call: (place) => giver.try(setPickupPlace, { params: trade, body: { place } }),
      stored: async () => (await taker.call(getTrade, { params: trade })).legs[0]?.pickup_place,
    }
  }),
  row(thankForTrade, 'text', [200, 409], ['The best plums', 'Thanks a lot'], async (world) => {
    const { taker, trade } = await doneTrade(world)
    return {
      call: (text) => taker.try(thankForTrade, { params: trade, body: { text } }),
      stored: async () =>
        onlyOf((await taker.call(getTrade, { params: trade })).thanks.map(({ text }) => text)),
    }
  }),
]

async function withoutQuantities(world: World, member: Actor) {
  const { listings, note } = await onlyTradeOf(world, member)
  return { listings, note }
}

async function onlyTradeOf({ db }: World, member: Actor) {
  const trades = await db.selectFrom('trades').select('id').where('requester_id', '=', member.id).execute()
  const [trade] = trades
  if (!trade || trades.length > 1) throw new Error(`There are ${trades.length} trades`)
  return proposalOf(member, trade.id)
}

export const table: readonly Row[] = [
  ...rowsOfMessages,
  ...rowsOfListings,
  ...rowsOfWants,
  ...rowsOfMembers,
  ...rowsOfTrades,
  ...rowsOfDesk,
]
