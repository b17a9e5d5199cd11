import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { type TypeId, types } from '#contract/constants.ts'
import { removeFriend } from '#contract/friends.ts'
import { deleteListing, updateListing } from '#contract/listings.ts'
import { dismissMatch, listInterested, restoreMatch } from '#contract/matches.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { exportProfile } from '#contract/profile.ts'
import { deleteWant, listWants, renameWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { newMatchingWorld } from '#test/matching-world.ts'
import { connectSocket } from '#test/socket-client.ts'

const { world, newMembers, list, addWant, matchesOf, notificationsOf } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

describe('a swap', () => {
  test('is a pair of matches for exchange: notifies both members and is listed first', async () => {
    const [ann, bob, cat] = await newMembers(3)
    const exchange = { type_id: types.exchange }
    await addWant(ann, 'pomelo')
    await addWant(bob, 'yuzu')
    await addWant(bob, 'figs of any kind')
    await list(cat, 'Yuzus')
    await list(bob, 'Pomelos', exchange)
    await list(cat, 'Figs of any kind', exchange)
    expect((await matchesOf(bob)).map(({ is_swap }) => is_swap)).toEqual([false, false])
    using anns = await connectSocket(ann)
    using bobs = await connectSocket(bob)

    const { id } = await list(ann, 'Yuzu, ten', exchange)
    const swaps = async (member: Actor) =>
      (await matchesOf(member)).map(({ listing, is_swap }) => [listing.title, is_swap])
    await list(cat, 'More yuzus')
    expect(await swaps(bob)).toEqual([
      ['Yuzu, ten', true],
      ['More yuzus', false],
      ['Figs of any kind', false],
      ['Yuzus', false],
    ])
    expect(await swaps(ann)).toEqual([['Pomelos', true]])
    expect(anns.received('notification').map(({ kind }) => kind)).toEqual(['swap'])
    expect(bobs.received('notification').map(({ kind }) => kind)).toEqual(['swap', 'match'])
    expect(await notificationsOf(ann)).toEqual(['swap Pomelos'])
    expect(await ann.call(listInterested, { params: { id }, query: {} })).toMatchObject([
      { user: { id: bob.id }, want: { title: 'yuzu' }, is_swap: true },
    ])

    await ann.call(updateListing, { params: { id }, body: { type_id: types.giveaway } })
    await world.jobsDone()
    expect([await swaps(ann), (await swaps(bob))[0]]).toEqual([[['Pomelos', false]], ['More yuzus', false]])
    await ann.call(updateListing, { params: { id }, body: exchange })
    await world.jobsDone()
    expect((await swaps(bob))[0]).toEqual(['Yuzu, ten', true])
    // A swap that ends and returns causes no second notification.
    expect([await notificationsOf(ann), anns.received('notification').length]).toEqual([['swap Pomelos'], 1])
    expect(bobs.received('notification')).toHaveLength(2)
    const yuzu = (await bob.call(listWants, { query: {} }))[0]?.id ?? 0
    await bob.call(renameWant, { params: { id: yuzu }, body: { title: 'old bricks' } })
    expect(await swaps(ann)).toEqual([['Pomelos', false]])
    await bob.call(renameWant, { params: { id: yuzu }, body: { title: 'yuzus' } })
    expect(await swaps(ann)).toEqual([['Pomelos', true]])
    expect(bobs.received('notification')).toHaveLength(2)
    const [pomelos] = await matchesOf(ann)
    const params = { want_id: pomelos?.want.id ?? 0, listing_id: pomelos?.listing.id ?? 0 }
    await ann.call(dismissMatch, { params })
    expect((await swaps(bob)).map(([, isSwap]) => isSwap)).toEqual([false, false, false, false])
    await ann.call(restoreMatch, { params })
    expect([await swaps(ann), (await swaps(bob))[0]]).toEqual([[['Pomelos', true]], ['Yuzu, ten', true]])
    expect([anns, bobs].map((socket) => socket.received('notification').length)).toEqual([1, 2])
  })
})

test('two wants posted at the same moment become a swap', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await newMembers(2)
  await list(ann, 'Mashua', exchange)
  await list(bob, 'Arracacha', exchange)
  // The lock delays both commits: neither transaction sees the other's match.
  const requests = await world.db.transaction().execute(async (tx) => {
    await sql`lock table notifications in share mode`.execute(tx)
    const responses = [addWant(ann, 'arracacha'), addWant(bob, 'mashua')]
    await expect.poll(world.waitingForLocks).toBe(2)
    return { responses }
  })
  await Promise.all(requests.responses)
  await world.jobsDone()
  expect([...(await matchesOf(ann)), ...(await matchesOf(bob))].map(({ is_swap }) => is_swap)).toEqual([
    true,
    true,
  ])
  expect([await notificationsOf(ann), await notificationsOf(bob)]).toEqual([
    ['swap Arracacha'],
    ['swap Mashua'],
  ])
})

test('a swap with a friends-only listing ends with the friendship and reveals no later changes', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await newMembers(2)
  await world.befriend(ann, bob)
  await addWant(ann, 'quince')
  const want = await addWant(bob, 'medlar')
  const theirs = await list(bob, 'Quinces', exchange)
  const { id } = await list(ann, 'Medlars', { ...exchange, is_public: false })
  const visibleToBob = async () => ({
    wanted: await bob.call(listInterested, { params: { id: theirs.id }, query: {} }),
    matches: await matchesOf(bob),
    exported: (await bob.call(exportProfile)).matches,
    notified: (await bob.call(exportProfile)).notifications,
    dismissed: (await bob.try(dismissMatch, { params: { want_id: want.id, listing_id: id } })).status,
    restored: (await bob.try(restoreMatch, { params: { want_id: want.id, listing_id: id } })).status,
  })
  expect(await visibleToBob()).toMatchObject({
    wanted: [{ is_swap: true }],
    matches: [{ is_swap: true }],
    exported: [{ listing_id: id, is_swap: true }],
    dismissed: 204,
    restored: 204,
  })

  await ann.call(removeFriend, { params: { id: bob.id } })
  const after = await visibleToBob()
  expect(after).toMatchObject({ wanted: [{ is_swap: false }], matches: [], exported: [] })
  expect([after.dismissed, after.restored]).toEqual([404, 404])
  expect((await matchesOf(ann)).map(({ is_swap }) => is_swap)).toEqual([false])
  for (const changes of [{ type_id: types.giveaway }, exchange, { title: 'Old bricks' }]) {
    await ann.call(updateListing, { params: { id }, body: changes })
    await world.jobsDone()
    expect(await visibleToBob()).toEqual(after)
  }
  await ann.call(updateListing, { params: { id }, body: { title: 'Medlars' } })
  await world.befriend(ann, bob)
  await world.jobsDone()
  expect(await visibleToBob()).toMatchObject({ wanted: [{ is_swap: true }], matches: [{ is_swap: true }] })
})

test('the export contains no match or notification of an invisible listing', async () => {
  const [ann, bob] = await newMembers(2)
  await addWant(bob, 'sorrel')
  const { id } = await list(ann, 'Sorrel')
  const exported = async () => {
    const { matches, notifications } = await bob.call(exportProfile)
    return [matches, notifications]
  }
  expect(await exported()).toMatchObject([[{ listing_id: id }], [{ listing_id: id }]])
  await ann.call(updateListing, { params: { id }, body: { is_public: false } })
  expect(await exported()).toEqual([[], []])
  await world.jobsDone()
  expect(await exported()).toEqual([[], []])
})

test('a block hides a swap; unblocking restores it without a notification', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await newMembers(2)
  await addWant(ann, 'kohlrabi')
  await addWant(bob, 'okra')
  await list(bob, 'Kohlrabi', exchange)
  const { id } = await list(ann, 'Okra', exchange)
  const areSwaps = async () =>
    [...(await matchesOf(ann)), ...(await matchesOf(bob))].map(({ is_swap }) => is_swap)
  async function change(...kinds: TypeId[]) {
    for (const type_id of kinds) {
      await ann.call(updateListing, { params: { id }, body: { type_id } })
      await world.jobsDone()
    }
  }
  async function changeWhileBlocked(...kinds: TypeId[]) {
    await ann.call(blockMember, { params: { id: bob.id } })
    expect(await areSwaps()).toEqual([])
    await change(...kinds)
    expect(await areSwaps()).toEqual([])
    await ann.call(unblockMember, { params: { id: bob.id } })
    return areSwaps()
  }
  expect(await areSwaps()).toEqual([true, true])
  using anns = await connectSocket(ann)
  using bobs = await connectSocket(bob)

  expect(await changeWhileBlocked()).toEqual([true, true])
  expect(await changeWhileBlocked(types.giveaway)).toEqual([false, false])
  expect(await changeWhileBlocked(types.exchange)).toEqual([true, true])
  expect(await changeWhileBlocked(types.giveaway, types.exchange)).toEqual([true, true])
  expect([anns, bobs].flatMap((socket) => socket.received('notification'))).toEqual([])
})

test('deleting a want or listing ends its swap for both members', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await newMembers(2)
  await addWant(ann, 'sapote')
  const want = await addWant(bob, 'lucuma')
  await list(bob, 'Sapotes', exchange)
  const { id } = await list(ann, 'Lucumas', exchange)
  const areSwaps = async () =>
    [...(await matchesOf(ann)), ...(await matchesOf(bob))].map(({ is_swap }) => is_swap)
  expect(await areSwaps()).toEqual([true, true])
  await bob.call(deleteWant, { params: { id: want.id } })
  expect(await areSwaps()).toEqual([false])
  await addWant(bob, 'lucuma')
  expect(await areSwaps()).toEqual([true, true])
  await ann.call(deleteListing, { params: { id } })
  expect(await areSwaps()).toEqual([false])
})

test('a swap that begins while a member is suspended is shown when the suspension ends', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await newMembers(2)
  await addWant(ann, 'quandong')
  await addWant(bob, 'cupuacu')
  await list(ann, 'Cupuacu', exchange)
  await world.suspend(ann)
  await list(bob, 'Quandongs', exchange)
  await world.restore(ann)
  await world.jobsDone()
  expect((await matchesOf(bob)).map(({ is_swap }) => is_swap)).toEqual([true])
})

test('a swap ends for both members while the operator hides its listing', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await newMembers(2)
  await addWant(ann, 'jicama')
  await addWant(bob, 'taro')
  await list(bob, 'Jicama', exchange)
  const { id } = await list(ann, 'Taro', exchange)
  const areSwaps = async () => {
    await world.jobsDone()
    return [...(await matchesOf(ann)), ...(await matchesOf(bob))].map(({ is_swap }) => is_swap)
  }
  expect(await areSwaps()).toEqual([true, true])
  await world.hide(id)
  expect(await areSwaps()).toEqual([false])
  await world.show(id)
  expect(await areSwaps()).toEqual([true, true])
})
