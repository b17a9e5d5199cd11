import { afterAll, describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import { updateListing } from '#contract/listings.ts'
import {
  countInterested,
  countInterestedIn,
  countTold,
  dismissMatch,
  listInterested,
} from '#contract/matches.ts'
import { blockMember } from '#contract/members.ts'
import { updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { json } from '#test/actor.ts'
import { newMatchingWorld } from '#test/matching-world.ts'

const { world, newMembers, list, addWant, matchesOf } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

describe('the number of interested members', () => {
  test('for a title counts other members, not wants', async () => {
    const [ann, bob, cat] = await newMembers(3)
    for (const member of [ann, bob, cat]) await addWant(member, 'gooseberries', categories.produce)
    await addWant(bob, 'goosberry')
    const count = async (title: string, category_id: 1 | 2 | null = null) =>
      (await ann.call(countInterestedIn, { body: { title, category_id } })).count
    expect([
      await count('Gooseberries'),
      await count('Gooseberries', 1),
      await count('Gooseberries', 2),
    ]).toEqual([2, 2, 1])
    expect([await count(''), await count('🫐🫐'), await count('G')]).toEqual([0, 0, 0])
    await ann.call(blockMember, { params: { id: cat.id } })
    expect(await count('Gooseberries')).toBe(1)
    expect((await ann.send('POST', '/api/matches/wanting', json({ title: 'a'.repeat(121) }))).status).toBe(
      422,
    )
  })

  test('for each own listing counts members who can see it, not wants', async () => {
    const [ann, bob, cat, dan] = await newMembers(4)
    for (const member of [bob, cat, dan]) await addWant(member, 'cherimoyas')
    await addWant(bob, 'cherimoya')
    const wanted = await list(ann, 'Cherimoyas, a bowl')
    const friendsOnly = await list(ann, 'Cherimoyas for friends', { is_public: false })
    const inactive = await list(ann, 'Cherimoyas in the shed')
    await list(ann, 'Old bricks')
    await list(bob, 'Cherimoyas of another')
    await ann.call(updateListing, { params: { id: inactive.id }, body: { is_active: false } })
    const counts = async () =>
      (await ann.call(countInterested, { query: {} })).map(({ listing_id, count }) => [listing_id, count])
    expect(await counts()).toEqual([[wanted.id, 3]])

    await world.befriend(ann, cat)
    await world.jobsDone()
    expect(await counts()).toEqual([
      [friendsOnly.id, 1],
      [wanted.id, 3],
    ])
    const [match] = await matchesOf(dan)
    const params = { want_id: match?.want.id ?? 0, listing_id: wanted.id }
    await dan.call(dismissMatch, { params })
    await ann.call(blockMember, { params: { id: cat.id } })
    expect(await counts()).toEqual([[wanted.id, 1]])
    await world.suspend(bob)
    expect(await counts()).toEqual([])
  })

  test('who were told of a listing counts members, and says whether all live near its owner', async () => {
    const [ann, bob, cat, dan] = await newMembers(4)
    const move = (member: Actor, zip_code: string) => member.call(updateProfile, { body: { zip_code } })
    const told = (id: number) => ann.call(countTold, { params: { id } })
    for (const member of [bob, cat]) await addWant(member, 'feijoas')
    await addWant(bob, 'feijoa')
    expect(await told((await list(ann, 'Lawn mower')).id)).toEqual({ count: 0, is_near: false })
    const placeless = await list(ann, 'Feijoas, a bag')
    expect(await told(placeless.id)).toEqual({ count: 2, is_near: false })

    for (const member of [ann, bob, cat]) await move(member, '97214')
    const { id } = await list(ann, 'Feijoas, a basket')
    expect(await told(id)).toEqual({ count: 2, is_near: true })
    await move(cat, '60614')
    expect(await told(id)).toEqual({ count: 2, is_near: false })
    expect(await told((await list(ann, 'Feijoas, a crate')).id)).toEqual({ count: 1, is_near: true })
    await addWant(dan, 'feijoas')
    await world.jobsDone()
    await ann.call(blockMember, { params: { id: bob.id } })
    expect(await told(id)).toEqual({ count: 1, is_near: false })
  })

  test('is listed in the pages of the listings', async () => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, 'sorrel')
    const wanted = [await list(ann, 'Sorrel 1'), await list(ann, 'Bricks'), await list(ann, 'Sorrel 2')]
    const [first, , last] = wanted.map(({ id }) => ({ listing_id: id, count: 1 }))
    expect(await ann.pages('/api/matches/wanted?limit=1')).toEqual([[last], [], [first]])
    expect((await ann.send('GET', '/api/matches/wanted?limit=101')).status).toBe(422)
  })

  test.each([
    ['Lovage', 'lovage', 'lovage is on their list'],
    ['Zucchini', 'courgettes', 'zucchini is another name for courgette'],
    ['A sextant in its case', 'old sextant', 'sextant is on their list'],
    ['Dahlias', 'anything but zucchini', 'dahlia is one of the things they are open to'],
  ])('comes with a reason for the owner: %s, wanted as %s', async (title, wanted, reason) => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, wanted)
    const { id } = await list(ann, title)
    const [interested] = await ann.call(listInterested, { params: { id }, query: {} })
    const [match] = await matchesOf(bob)
    expect([interested?.reason, match?.reason]).toEqual([
      reason,
      reason.replace('their', 'your').replace('they', 'you'),
    ])
  })
})

test.each([
  ['without a category does not match a plant', 'Tarragon', null, 0],
  ['in the category of the listing matches it', 'Chervil', categories.plants, 1],
] as const)(
  'a want of leaves %s, before, while and after it is posted',
  async (_, crop, category_id, expected) => {
    const [ann, bob, cat, dan] = await newMembers(4)
    const listing = { title: crop, category_id: categories.plants }
    const countOf = async () => (await dan.call(countInterestedIn, { body: listing })).count
    const before = await countOf()
    await addWant(bob, `${crop} leaves`, category_id)
    const count = (await countOf()) - before
    await list(ann, crop, listing)
    await addWant(cat, `${crop} leaves`, category_id)
    await world.jobsDone()

    const matches = [await matchesOf(bob), await matchesOf(cat)].map(({ length }) => length)
    expect({ count, matches }).toEqual({ count: expected, matches: [expected, expected] })
  },
)
