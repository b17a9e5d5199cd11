import { afterAll, describe, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { deleteListing, updateListing } from '#contract/listings.ts'
import { dismissMatch, listWantedBy, restoreMatch } from '#contract/matches.ts'
import { deleteWant, listWants, renameWant } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { openLine } from '#test/line.ts'
import { newMatchingWorld } from '#test/matching-world.ts'

const { world, some, list, wish, matchesOf, told } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

describe('a swap', () => {
  test('is when each has, for exchange, what the other wants: both are told, and it comes first', async () => {
    const [ann, bob, cat] = await some(3)
    const exchange = { type_id: types.exchange }
    await wish(ann, 'pomelo')
    await wish(bob, 'yuzu')
    await wish(bob, 'figs of any kind')
    await list(cat, 'Yuzus')
    await list(bob, 'Pomelos', exchange)
    await list(cat, 'Figs of any kind', exchange)
    expect((await matchesOf(bob)).map(({ is_swap }) => is_swap)).toEqual([false, false])
    using anns = await openLine(ann)
    using bobs = await openLine(bob)

    const { id } = await list(ann, 'Yuzu, ten', exchange)
    const swaps = async (who: Actor) =>
      (await matchesOf(who)).map(({ listing, is_swap }) => [listing.title, is_swap])
    await list(cat, 'More yuzus')
    expect(await swaps(bob)).toEqual([
      ['Yuzu, ten', true],
      ['More yuzus', false],
      ['Figs of any kind', false],
      ['Yuzus', false],
    ])
    expect(await swaps(ann)).toEqual([['Pomelos', true]])
    expect(anns.heard('notification').map(({ kind }) => kind)).toEqual(['swap'])
    expect(bobs.heard('notification').map(({ kind }) => kind)).toEqual(['swap', 'match'])
    expect(await told(ann)).toEqual(['swap Pomelos'])
    expect(await ann.call(listWantedBy, { params: { id }, query: {} })).toMatchObject([
      { user: { id: bob.id }, want: { title: 'yuzu' }, is_swap: true },
    ])

    await ann.call(updateListing, { params: { id }, body: { type_id: types.giveaway } })
    await world.jobsDone()
    expect([await swaps(ann), (await swaps(bob))[0]]).toEqual([[['Pomelos', false]], ['More yuzus', false]])
    await ann.call(updateListing, { params: { id }, body: exchange })
    await world.jobsDone()
    expect((await swaps(bob))[0]).toEqual(['Yuzu, ten', true])
    // Nobody is told twice of what comes and goes.
    expect([await told(ann), anns.heard('notification').length]).toEqual([['swap Pomelos'], 1])
    expect(bobs.heard('notification')).toHaveLength(2)
    const yuzu = (await bob.call(listWants, { query: {} }))[0]?.id ?? 0
    await bob.call(renameWant, { params: { id: yuzu }, body: { title: 'old bricks' } })
    expect(await swaps(ann)).toEqual([['Pomelos', false]])
    await bob.call(renameWant, { params: { id: yuzu }, body: { title: 'yuzus' } })
    expect(await swaps(ann)).toEqual([['Pomelos', true]])
    expect(bobs.heard('notification')).toHaveLength(2)
    const [pomelos] = await matchesOf(ann)
    const params = { want_id: pomelos?.want.id ?? 0, listing_id: pomelos?.listing.id ?? 0 }
    await ann.call(dismissMatch, { params })
    expect((await swaps(bob)).map(([, isSwap]) => isSwap)).toEqual([false, false, false, false])
    await ann.call(restoreMatch, { params })
    expect([await swaps(ann), (await swaps(bob))[0]]).toEqual([[['Pomelos', true]], ['Yuzu, ten', true]])
    expect([anns, bobs].map((line) => line.heard('notification').length)).toEqual([1, 2])
  })
})

test('a swap ends for both when a want or a listing of it goes', async () => {
  const exchange = { type_id: types.exchange }
  const [ann, bob] = await some(2)
  await wish(ann, 'sapote')
  const want = await wish(bob, 'lucuma')
  await list(bob, 'Sapotes', exchange)
  const { id } = await list(ann, 'Lucumas', exchange)
  const areSwaps = async () =>
    [...(await matchesOf(ann)), ...(await matchesOf(bob))].map(({ is_swap }) => is_swap)
  expect(await areSwaps()).toEqual([true, true])
  await bob.call(deleteWant, { params: { id: want.id } })
  expect(await areSwaps()).toEqual([false])
  await wish(bob, 'lucuma')
  expect(await areSwaps()).toEqual([true, true])
  await ann.call(deleteListing, { params: { id } })
  expect(await areSwaps()).toEqual([false])
})
