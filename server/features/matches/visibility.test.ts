import { afterAll, describe, expect, test } from 'vitest'
import { states } from '#contract/constants.ts'
import { removeFriend } from '#contract/friends.ts'
import { setVisibility, updateListing } from '#contract/listings.ts'
import { listInterested } from '#contract/matches.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { countUnreadNotifications } from '#contract/notifications.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { listWants } from '#contract/wants.ts'
import { newMatchingWorld } from '#test/matching-world.ts'
import { connectSocket } from '#test/socket-client.ts'

const { world, newMembers, list, addWant, matchesOf, matchTitles, notificationsOf } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

describe('the visibility of matches', () => {
  test('friends-only listings match wants of friends for the time of the friendship', async () => {
    const [ann, bob, cat, dan] = await newMembers(4)
    await world.befriend(ann, bob)
    await addWant(bob, 'loquats')
    await addWant(cat, 'loquats')
    using cats = await connectSocket(cat)
    const { id } = await list(ann, 'Loquats', { is_public: false })
    expect([await matchTitles(bob), await matchTitles(cat)]).toEqual([['Loquats'], []])
    expect([await notificationsOf(bob), cats.received('notification')]).toEqual([
      expect.arrayContaining(['match Loquats']),
      [],
    ])
    const kept = await world.db.selectFrom('matches').select('user_id').where('listing_id', '=', id).execute()
    expect(kept).toEqual([{ user_id: bob.id }])

    await world.befriend(ann, cat)
    await world.jobsDone()
    expect(await matchTitles(cat)).toEqual(['Loquats'])
    expect(await notificationsOf(cat)).toContain('match Loquats')
    await cat.call(removeFriend, { params: { id: ann.id } })
    expect([
      await matchTitles(cat),
      (await notificationsOf(cat)).filter((text) => text.startsWith('match')),
    ]).toEqual([[], []])

    // The lock delays the job of the new friendship until the friendship has ended.
    await addWant(dan, 'loquats')
    using dans = await connectSocket(dan)
    await world.db.transaction().execute(async (tx) => {
      await tx.selectFrom('listings').select('id').where('id', '=', id).forUpdate().execute()
      await world.befriend(ann, dan)
      await expect.poll(world.waitingForLocks).toBe(1)
      await dan.call(removeFriend, { params: { id: ann.id } })
    })
    await world.jobsDone()
    expect(dans.received('notification').filter(({ kind }) => kind === 'match')).toEqual([])

    await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
    await world.jobsDone()
    expect([await matchTitles(bob), await matchTitles(cat)]).toEqual([['Loquats'], ['Loquats']])
  })

  test('listings that become friends-only, inactive or gone stop matching at once', async () => {
    const [ann, bob, cat, dan] = await newMembers(4)
    await world.befriend(ann, bob)
    for (const member of [bob, cat]) await addWant(member, 'medlars')
    const countOf = async (member: typeof ann) =>
      (await member.call(listWants, { query: {} })).map(({ listing_count }) => listing_count)
    const { id } = await list(ann, 'Medlars')
    const { id: inactive } = await list(ann, 'Medlars too')
    const { id: gone } = await list(ann, 'More medlars')
    expect([await countOf(bob), await countOf(cat)]).toEqual([[3], [3]])

    // The lock delays the jobs that end these matches until the transaction ends.
    await world.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', cat.id).forUpdate().execute()
      await ann.call(setVisibility, { params: { id }, body: { is_public: false } })
      await ann.call(updateListing, { params: { id: inactive }, body: { is_active: false } })
      await ann.call(updateListing, { params: { id: gone }, body: { state_id: states.gone } })
      expect([await countOf(bob), await countOf(cat)]).toEqual([[1], [0]])
    })
    expect(await addWant(dan, 'medlars')).toMatchObject({ listing_count: 0 })
    expect([await countOf(bob), await countOf(cat), await countOf(dan)]).toEqual([[1], [0], [0]])
    const ofDan = world.db.selectFrom('matches').select('id').where('user_id', '=', dan.id)
    expect(await ofDan.execute()).toEqual([])
  })

  test('a listing that becomes public notifies members who want it', async () => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, 'kohlrabi')
    const { id } = await list(ann, 'Kohlrabi', { is_public: false })
    expect(await notificationsOf(bob)).toEqual([])
    await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
    await world.jobsDone()
    expect(await notificationsOf(bob)).toEqual(['match Kohlrabi'])
  })

  test('hides matches with blocked and suspended members and of hidden listings', async () => {
    const [ann, bob, cat, dan] = await newMembers(4)
    await ann.call(blockMember, { params: { id: bob.id } })
    await cat.call(blockMember, { params: { id: ann.id } })
    for (const member of [bob, cat, dan]) await addWant(member, 'feijoa')
    const { id } = await list(ann, 'Feijoas')
    const titlesOfAll = async () => [await matchTitles(bob), await matchTitles(cat), await matchTitles(dan)]
    const interestedMembers = async () =>
      (await ann.call(listInterested, { params: { id }, query: {} })).map(({ user }) => user.id)
    expect(await titlesOfAll()).toEqual([[], [], ['Feijoas']])
    expect([await notificationsOf(bob), await notificationsOf(cat), await notificationsOf(dan)]).toEqual([
      [],
      [],
      ['match Feijoas'],
    ])
    expect(await interestedMembers()).toEqual([dan.id])

    await ann.call(unblockMember, { params: { id: bob.id } })
    await cat.call(unblockMember, { params: { id: ann.id } })
    expect(await titlesOfAll()).toEqual([['Feijoas'], ['Feijoas'], ['Feijoas']])
    expect(await interestedMembers()).toEqual([dan.id, cat.id, bob.id])
    await world.suspend(bob)
    expect(await interestedMembers()).toEqual([dan.id, cat.id])

    const hide = (hidden_at: string | null) =>
      world.db.updateTable('listings').set({ hidden_at }).where('id', '=', id).execute()
    await hide(new Date().toISOString())
    expect([
      await matchTitles(dan),
      await notificationsOf(dan),
      await dan.call(countUnreadNotifications),
    ]).toEqual([[], [], 0])
    await hide(null)
    await world.suspend(ann)
    expect([
      await matchTitles(dan),
      await notificationsOf(dan),
      await dan.call(countUnreadNotifications),
    ]).toEqual([[], [], 0])
  })

  test('a radius excludes distant listings, but not listings without a known postal code', async () => {
    const [near, far, here, anywhere] = await newMembers(4)
    await near.call(updateProfile, { body: { zip_code: '97214' } })
    await here.call(updateProfile, { body: { zip_code: '97202' } })
    await far.call(updateProfile, { body: { zip_code: '10001' } })
    await here.call(updatePreferences, { body: { match_radius: 25 } })
    for (const member of [here, anywhere]) await addWant(member, 'tayberries')
    await list(near, 'Tayberries, near')
    await list(far, 'Tayberries, far')
    expect(await matchTitles(here)).toEqual(['Tayberries, near'])
    expect((await matchesOf(here))[0]?.listing.within_miles).toBe(5)
    expect(await notificationsOf(here)).toEqual(['match Tayberries, near'])
    expect(await matchTitles(anywhere)).toEqual(['Tayberries, far', 'Tayberries, near'])

    await here.call(updatePreferences, { body: { match_radius: null } })
    await world.jobsDone()
    expect(await matchTitles(here)).toEqual(['Tayberries, far', 'Tayberries, near'])
    await here.call(updatePreferences, { body: { match_radius: 10 } })
    expect(await matchTitles(here)).toEqual(['Tayberries, near'])
    expect((await here.call(listWants, { query: {} }))[0]?.listing_count).toBe(1)
    await far.call(updateProfile, { body: { zip_code: '00000' } })
    await world.jobsDone()
    expect(await matchTitles(here)).toContain('Tayberries, far')
  })

  test('by default, members are told of matches within 25 miles, and of those anywhere if they choose so', async () => {
    const [boston, honolulu, here, nowhere] = await newMembers(4)
    await boston.call(updateProfile, { body: { zip_code: '02108' } })
    for (const member of [honolulu, here]) await member.call(updateProfile, { body: { zip_code: '96813' } })
    const mails = () =>
      world.mailTo(here).filter(({ headers }) => headers.get('list-unsubscribe')?.includes('mail_matches'))
    await world.confirm(here)
    for (const member of [here, nowhere]) await addWant(member, 'starfruit')
    await list(boston, 'Starfruit of Boston')
    expect([await matchTitles(here), await notificationsOf(here), mails()]).toEqual([[], [], []])
    // Without a place there is no radius.
    expect(await matchTitles(nowhere)).toEqual(['Starfruit of Boston'])

    await list(honolulu, 'Starfruit of Honolulu')
    expect(await matchTitles(here)).toEqual(['Starfruit of Honolulu'])
    expect(await notificationsOf(here)).toEqual(['match Starfruit of Honolulu'])
    expect(mails()).toMatchObject([{ subject: expect.stringContaining('Starfruit of Honolulu') }])

    for (const [match_radius, titles] of [
      [null, ['Starfruit of Boston', 'Starfruit of Honolulu']],
      [25, ['Starfruit of Honolulu']],
    ] as const) {
      expect(await here.call(updatePreferences, { body: { match_radius } })).toMatchObject({ match_radius })
      await world.jobsDone()
      expect(await matchTitles(here)).toEqual(titles)
    }
  })

  test('only the member sees their matches', async () => {
    const [ann, bob, cat] = await newMembers(3)
    const want = await addWant(bob, 'jostaberries')
    await list(ann, 'Jostaberries')
    expect(await matchesOf(cat, { want_id: want.id })).toEqual([])
    expect(await matchesOf(bob, { want_id: want.id })).toHaveLength(1)
  })
})
