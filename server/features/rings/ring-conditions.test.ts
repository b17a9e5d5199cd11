import { afterAll, expect, test } from 'vitest'
import { logIn } from '#contract/auth.ts'
import { states, types } from '#contract/constants.ts'
import { createListing, deleteListing, relistListing, updateListing } from '#contract/listings.ts'
import { dismissMatch, restoreMatch } from '#contract/matches.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { createTrade } from '#contract/trades.ts'
import { createWant, deleteWant, listWants, renameWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { newRingWorld } from '#test/ring-world.ts'
import { endExpiredListings } from '../listings/jobs.ts'

const { world, circle, searched, ringsOf } = await newRingWorld()
afterAll(() => world[Symbol.asyncDispose]())

// Ann gives to Ben, Ben to Cat, and Cat to Ann. Salem is some fifty miles from Portland, and Ann's radius a hundred.
const zipCodes = { portland: '97214', salem: '97301', newYork: '10001' }
const members = await world.members('ann', 'ben', 'cat')
const [ann, ben, cat] = members
const setRadius = (who: Actor, match_radius: 25 | 100 | null) =>
  who.call(updatePreferences, { body: { match_radius } })
const move = (who: Actor, zip_code: string) => who.call(updateProfile, { body: { zip_code } })
for (const who of members) await move(who, who === ben ? zipCodes.salem : zipCodes.portland)
for (const who of members) await setRadius(who, who === ann ? 100 : null)
const listings = await circle(members)
const [anns = 0] = listings.map(({ id }) => id)
const ring = listings.map(({ id }) => id)
const propose = () => ben.try(createTrade, { body: { ring } })

const change = (body: object) => ann.call(updateListing, { params: { id: anns }, body })
const wantOf = async (who: Actor) => (await who.call(listWants, { query: {} }))[0] ?? { id: 0, title: '' }
const matchOfBen = async () => ({ params: { want_id: (await wantOf(ben)).id, listing_id: anns } })
const swap: { listing?: number; want?: number } = {}

/** The steps that make the ring impossible and possible again, with the status of a proposal in between. */
const conditions: [
  name: string,
  status: number,
  end: () => Promise<unknown>,
  begin: () => Promise<unknown>,
][] = [
  ['the radius of a giver', 409, () => setRadius(ann, 25), () => setRadius(ann, 100)],
  ['the radius of a taker', 409, () => setRadius(ben, 25), () => setRadius(ben, null)],
  ["a taker's postal code", 409, () => move(ben, zipCodes.newYork), () => move(ben, zipCodes.salem)],
  [
    'a block',
    409,
    () => cat.call(blockMember, { params: { id: ann.id } }),
    () => cat.call(unblockMember, { params: { id: ann.id } }),
  ],
  [
    'a suspension',
    404,
    () => world.suspend(ann),
    async () => {
      await world.restore(ann)
      const login = { username: ann.email, password: ann.password }
      ann.token = (await ann.call(logIn, { body: login })).access_token
    },
  ],
  [
    "the listing's type",
    422,
    () => change({ type_id: types.sell, price: 2 }),
    () => change({ type_id: types.exchange }),
  ],
  [
    'the opening of a giveaway to rings',
    422,
    () => change({ type_id: types.giveaway, open_to_rings: false }),
    () => change({ open_to_rings: true }),
  ],
  [
    'a reservation',
    409,
    () => change({ state_id: states.reserved }),
    () => change({ state_id: states.available }),
  ],
  [
    "the listing's state",
    409,
    () => change({ state_id: states.gone }),
    () => change({ state_id: states.available }),
  ],
  ["the listing's visibility", 404, () => change({ is_public: false }), () => change({ is_public: true })],
  ['an inactive listing', 404, () => change({ is_active: false }), () => change({ is_active: true })],
  ['a listing that the operator hides', 404, () => world.hide(anns), () => world.show(anns)],
  [
    'a listing that ends and is listed again',
    409,
    async () => {
      const expires_at = new Date(Date.now() - 1000).toISOString()
      await world.db.updateTable('listings').set({ expires_at }).where('id', '=', anns).execute()
      await world.runJob(endExpiredListings)
    },
    () => ann.call(relistListing, { params: { id: anns } }),
  ],
  [
    'a listing that is listed again before the job has ended it',
    409,
    async () => {
      const expires_at = new Date(Date.now() - 1000).toISOString()
      await world.db.updateTable('listings').set({ expires_at }).where('id', '=', anns).execute()
    },
    () => ann.call(relistListing, { params: { id: anns } }),
  ],
  [
    "the listing's title",
    409,
    () => change({ title: 'Old bricks' }),
    () => change({ title: listings[0]?.title ?? '' }),
  ],
  [
    "a want's name",
    409,
    async () => ben.call(renameWant, { params: await wantOf(ben), body: { title: 'old bricks' } }),
    async () =>
      ben.call(renameWant, { params: await wantOf(ben), body: { title: listings[0]?.title ?? '' } }),
  ],
  [
    'a dismissed match',
    409,
    async () => ben.call(dismissMatch, await matchOfBen()),
    async () => ben.call(restoreMatch, await matchOfBen()),
  ],
  [
    'a swap of two of its members',
    409,
    async () => {
      const body = { title: 'Wheelbarrow', type_id: types.exchange }
      await change({ type_id: types.exchange })
      swap.want = (await ann.call(createWant, { body: { title: 'wheelbarrow' } })).id
      swap.listing = (await ben.call(createListing, { body })).id
    },
    async () => {
      await ben.call(deleteListing, { params: { id: swap.listing ?? 0 } })
      await ann.call(deleteWant, { params: { id: swap.want ?? 0 } })
    },
  ],
]

test.each(conditions)(
  'a ring that ends by %s is not suggested and can not be proposed, until it is possible again',
  async (_, status, end, begin) => {
    await searched()
    expect(await ringsOf(ben)).toHaveLength(1)
    await end()
    await searched()
    expect([await ringsOf(ben), await ringsOf(cat)]).toEqual([[], []])
    expect((await propose()).status).toBe(status)
    await begin()
    await searched()
    for (const who of members) expect(await ringsOf(who)).toHaveLength(1)
  },
)

test.each(shortOrLong(conditions.slice(3, 6), conditions))(
  'a ring that is completed while %s makes it impossible is found when it is possible',
  async (_, _status, end, begin) => {
    await end()
    const { id, title } = await wantOf(cat)
    await cat.call(deleteWant, { params: { id } })
    await cat.call(createWant, { body: { title } })
    await searched()
    expect([await ringsOf(ben), await ringsOf(cat)]).toEqual([[], []])
    await begin()
    await searched()
    for (const who of members) expect(await ringsOf(who)).toHaveLength(1)
  },
)

test('a ring that is possible again can be proposed', async () => {
  expect((await propose()).status).toBe(201)
})
