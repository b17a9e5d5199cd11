import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createListing, deleteListing, updateListing } from '#contract/listings.ts'
import {
  dismissMatch,
  type InterestedMember,
  listInterested,
  type Match,
  restoreMatch,
} from '#contract/matches.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { createWant, deleteWant, listWants, renameWant } from '#contract/wants.ts'
import { newMatchingWorld } from '#test/matching-world.ts'
import { connectSocket } from '#test/socket-client.ts'

const { world, newMembers, list, addWant, matchesOf, matchTitles, notificationsOf } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

describe('finding matches', () => {
  test('posting a listing notifies members who want it by any name, with the reason', async () => {
    const [ann, bob] = await newMembers(2)
    const want = await addWant(bob, 'courgettes', categories.produce)
    using bobs = await connectSocket(bob)

    const body = { title: 'Zucchini, more than enough', type_id: types.giveaway }
    const listing = await ann.call(createListing, { body })
    await expect.poll(() => bobs.received('notification'), { timeout: 1000, interval: 20 }).toHaveLength(1)

    const user = { id: ann.id, username: ann.username, profile_picture: null }
    expect(await matchesOf(bob)).toEqual([
      {
        want: { id: want.id, title: 'courgettes', category_id: categories.produce },
        listing: { ...listing, request_count: null },
        reason: 'zucchini is another name for courgette',
        is_swap: false,
      },
    ])
    const notification = {
      id: expect.any(Number),
      kind: 'match',
      created_at: expect.any(String),
      read_at: null,
      user,
      match: {
        want_id: want.id,
        want_title: 'courgettes',
        listing_id: listing.id,
        listing_title: listing.title,
        reason: 'zucchini is another name for courgette',
        more: 0,
      },
      listing: null,
      price_drop: null,
      trade: null,
      notice: null,
    }
    expect(bobs.received('notification')).toEqual([notification])
    expect(await bob.call(listNotifications, { query: {} })).toEqual([notification])
    expect(await bob.call(countUnreadNotifications)).toBe(1)
    expect(await matchesOf(ann)).toEqual([])
  })

  test('a reason is stored as data; the sentence of the previous release is shown as it is', async () => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, 'aubergines')
    const listing = await list(ann, 'Eggplants')
    const reasons = async () => {
      const { rows } = await sql<object>`
        update matches set reason = 'of the previous release' where listing_id = ${listing.id} returning why`.execute(
        world.db,
      )
      const [match] = await matchesOf(bob)
      const [interested] = await ann.call(listInterested, { params: { id: listing.id }, query: {} })
      const [notification] = await bob.call(listNotifications, { query: {} })
      return [rows, match?.reason, interested?.reason, notification?.match?.reason]
    }
    const told = 'eggplant is another name for aubergine'
    expect(await reasons()).toEqual([
      [{ why: { kind: 'synonym', wanted: expect.any(Object), offered: expect.any(Object) } }],
      ...[told, told, told],
    ])

    await sql`update matches set why = null where listing_id = ${listing.id}`.execute(world.db)
    const previous = 'of the previous release'
    expect(await reasons()).toEqual([[{ why: null }], previous, previous, previous])
  })

  test('adding a want notifies once, with the newest match and the number of others', async () => {
    const [ann, bob] = await newMembers(2)
    for (const title of ['Quinces for jelly', 'Quinces', 'Quinces, the last'])
      await list(ann, title, { category_id: categories.produce })
    await list(ann, 'Quince tree', { category_id: categories.plants })
    using bobs = await connectSocket(bob)

    const want = await addWant(bob, 'quince', categories.produce)
    expect(want.listing_count).toBe(3)
    await expect.poll(() => bobs.received('notification')).toHaveLength(1)
    expect(bobs.received('notification')[0]?.match).toMatchObject({
      listing_title: 'Quinces, the last',
      more: 2,
    })
    expect(await matchTitles(bob)).toEqual(['Quinces for jelly', 'Quinces', 'Quinces, the last'].toReversed())
    expect(await notificationsOf(bob)).toEqual(['match Quinces, the last'])
    expect(await bob.call(listWants, { query: {} })).toMatchObject([{ listing_count: 3 }])
  })

  test.each([
    ['posted', 'Lovage'],
    ['renamed', 'Borage'],
  ])(
    'matches a want that is %s at the same moment as listings are posted and edited',
    async (change, crop) => {
      const [ann, bob, dan] = await newMembers(3)
      const want = change === 'renamed' ? await addWant(bob, 'old bricks') : undefined
      await list(dan, crop)
      const { id } = await list(ann, `${crop} to edit`)

      // The lock delays the commit of the want, which has found its listings.
      const request = await world.db.transaction().execute(async (tx) => {
        await tx.selectFrom('users').select('id').where('id', '=', dan.id).forUpdate().execute()
        const response = want
          ? bob.try(renameWant, { params: { id: want.id }, body: { title: crop } })
          : bob.try(createWant, { body: { title: crop } })
        await expect.poll(world.waitingForLocks).toBe(1)
        await list(ann, `${crop} too`)
        await ann.call(updateListing, { params: { id }, body: { title: 'Old roof tiles' } })
        await world.jobsDone()
        return { response }
      })
      expect((await request.response).status).toBe(want ? 200 : 201)
      await world.jobsDone()
      expect(await matchTitles(bob)).toEqual([`${crop} too`, crop])
      expect(await notificationsOf(bob)).toEqual([`match ${crop} too`, `match ${crop}`])
    },
  )

  test('a listing that matches several wants notifies once', async () => {
    const [ann, bob] = await newMembers(2)
    for (const title of ['leeks', 'alliums', 'winter leeks']) await addWant(bob, title)
    await list(ann, 'Leeks')
    expect(await matchesOf(bob)).toHaveLength(3)
    const [notification, ...others] = await bob.call(listNotifications, { query: {} })
    expect([notification?.match?.more, others]).toEqual([2, []])
  })

  test('does not match own, inactive or gone listings or another category', async () => {
    const [ann, bob] = await newMembers(2)
    await addWant(ann, 'medlars')
    await addWant(bob, 'medlars', categories.plants)
    await list(ann, 'Medlars, a bowl', { category_id: categories.produce })
    await list(ann, 'Medlars in the shed', { is_active: false })
    await list(ann, 'Medlars, all of them', { state_id: states.gone })
    expect([await matchTitles(ann), await matchTitles(bob), await notificationsOf(bob)]).toEqual([[], [], []])
  })
})

describe('a match', () => {
  test('follows the text of the listing and notifies once', async () => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, 'salsify')
    const { id } = await list(ann, 'Salsify')
    const params = { id }
    const change = async (body: CallInput<typeof updateListing>['body']) => {
      await ann.call(updateListing, { params, body })
      await world.jobsDone()
      return matchTitles(bob)
    }
    expect(await change({ title: 'Old bricks' })).toEqual([])
    expect(await notificationsOf(bob)).toEqual([])
    expect(await bob.call(countUnreadNotifications)).toBe(0)
    expect(await change({ title: 'Oyster plant' })).toEqual(['Oyster plant'])
    expect(await change({ category_id: categories.seeds })).toEqual(['Oyster plant'])
    expect(await change({ state_id: states.gone })).toEqual([])
    expect(await change({ state_id: states.available, is_active: false })).toEqual([])
    expect(await change({ is_active: true })).toEqual(['Oyster plant'])
    expect(await notificationsOf(bob)).toEqual(['match Oyster plant'])
    await ann.call(deleteListing, { params })
    expect([await matchTitles(bob), await notificationsOf(bob)]).toEqual([[], []])
  })

  test('follows the text of the want', async () => {
    const [ann, bob] = await newMembers(2)
    await list(ann, 'Scorzonera')
    const want = await addWant(bob, 'scorzonera')
    const params = { id: want.id }
    const renamed = async (title: string) =>
      (await bob.call(renameWant, { params, body: { title } })).listing_count
    expect([want.listing_count, await renamed('old bricks'), await renamed('black salsify')]).toEqual([
      1, 0, 1,
    ])
    expect(await notificationsOf(bob)).toEqual(['match Scorzonera'])
    await bob.call(deleteWant, { params })
    expect([await matchTitles(bob), await notificationsOf(bob)]).toEqual([[], []])
  })

  test('that is dismissed is not shown again for that want', async () => {
    const [ann, bob] = await newMembers(2)
    const [want, secondWant] = [await addWant(bob, 'celtuce'), await addWant(bob, 'stem lettuce')]
    const { id } = await list(ann, 'Celtuce')
    const params = { want_id: want.id, listing_id: id }
    expect((await ann.try(dismissMatch, { params })).status).toBe(404)
    expect((await bob.try(dismissMatch, { params })).status).toBe(204)
    expect((await bob.try(dismissMatch, { params })).status).toBe(404)
    await ann.call(updateListing, { params: { id }, body: { description: 'Still celtuce.' } })
    await world.jobsDone()
    await bob.call(renameWant, { params: { id: want.id }, body: { title: 'celtuces' } })
    expect((await matchesOf(bob)).map((match) => match.want.id)).toEqual([secondWant.id])
    expect((await bob.call(listWants, { query: {} })).map((own) => own.listing_count)).toEqual([0, 1])
  })

  test('can be restored by the member who dismissed it, without a notification', async () => {
    const [ann, bob] = await newMembers(2)
    const want = await addWant(bob, 'skirret')
    const { id } = await list(ann, 'Skirret')
    const params = { want_id: want.id, listing_id: id }
    const missing = { status: 404, body: { detail: 'Match not found' } }
    expect(await bob.try(restoreMatch, { params })).toMatchObject(missing)
    const [before, mails] = [await matchesOf(bob), world.mailTo(bob).length]
    await bob.call(dismissMatch, { params })
    expect(await ann.try(restoreMatch, { params })).toMatchObject(missing)
    expect(await matchesOf(bob)).toEqual([])

    expect((await bob.try(restoreMatch, { params })).status).toBe(204)
    expect(await matchesOf(bob)).toEqual(before)
    await world.jobsDone()
    expect([await notificationsOf(bob), world.mailTo(bob).length]).toEqual([[], mails])
    expect(await bob.try(restoreMatch, { params })).toMatchObject(missing)

    // A match whose texts no longer fit is not restored.
    await bob.call(dismissMatch, { params })
    await ann.call(updateListing, { params: { id }, body: { title: 'Old bricks' } })
    await world.jobsDone()
    expect(await bob.try(restoreMatch, { params })).toMatchObject(missing)
    expect(await matchesOf(bob)).toEqual([])
  })
})

describe('large numbers and unusual texts', () => {
  test('matches a listing with more wants than one step of the job reads, once each', async () => {
    const [ann, bob] = await newMembers(2)
    const { id: indexed } = await addWant(bob, 'Salsola')
    await sql`
      with copies as (
        insert into wants (user_id, title, terms_version)
        select user_id, title, terms_version from wants, generate_series(1, 1099) where id = ${indexed} returning id
      )
      insert into want_terms (term, want_id, wanted, user_id)
      select term, copies.id, wanted, user_id from want_terms, copies where want_id = ${indexed}`.execute(
      world.db,
    )
    const { id } = await list(ann, 'Salsola, a box')
    const rows = await world.db.selectFrom('matches').select('want_id').where('listing_id', '=', id).execute()
    expect(rows).toHaveLength(1100)
    expect((await world.jobsOf('match-listing')).filter(({ state }) => state !== 'completed')).toEqual([])

    const pages = await ann.pages<InterestedMember>(`/api/listings/${id}/matches?limit=100`)
    expect(new Set(pages.flat().map(({ want }) => want.id)).size).toBe(1100)
    await ann.call(updateListing, { params: { id }, body: { title: 'Old bricks' } })
    await world.jobsDone()
    expect(await matchTitles(bob)).toEqual([])
  })

  test('lists matches in pages, swaps first', async () => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, 'pawpaws')
    await addWant(ann, 'mangels')
    await list(bob, 'Mangels', { type_id: types.exchange })
    for (let count = 0; count < 5; count += 1)
      await list(ann, `Pawpaw ${count}`, { type_id: count % 2 ? types.exchange : types.giveaway })
    const titles = (await bob.pages<Match>('/api/matches?limit=2')).flat().map(({ listing }) => listing.title)
    expect(titles).toEqual(['Pawpaw 3', 'Pawpaw 1', 'Pawpaw 4', 'Pawpaw 2', 'Pawpaw 0'])
    for (const query of ['cursor=no', 'limit=0', 'limit=101', 'want_id=x'])
      expect((await bob.send('GET', `/api/matches?${query}`)).status).toBe(422)
  })

  test.each([
    '🍅🍅🍅',
    '中文茄子番茄',
    'ж'.repeat(120),
    '%_\\"\'; drop table wants',
    'a'.repeat(120),
    '!!!',
    'no no no',
    'كرنب kale',
  ])('matches any title without a failed job: %s', async (title) => {
    const [ann, bob] = await newMembers(2)
    await addWant(bob, title.slice(0, 80))
    await list(ann, title)
    await addWant(ann, title.slice(0, 80))
    expect((await world.jobsOf('match-listing')).filter(({ state }) => state !== 'completed')).toEqual([])
  })
})
