import { afterAll, describe, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { removeFriend } from '#contract/friends.ts'
import { createListing, deleteListing, setVisibility, updateListing } from '#contract/listings.ts'
import {
  countWanting,
  dismissMatch,
  listMatches,
  listWantedBy,
  type Match,
  previewMatchMail,
} from '#contract/matches.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { updatePreferences, updateProfile } from '#contract/profile.ts'
import { createWant, deleteWant, listWants, renameWant } from '#contract/wants.ts'
import { catchUpWants } from '#server/features/wants/jobs.ts'
import { type Actor, json, type Reply } from '#test/actor.ts'
import { openLine } from '#test/line.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

let people = 0
/** Members nobody else of these tests knows. */
async function some<const Count extends number>(count: Count) {
  const names = Array.from({ length: count }, () => {
    people += 1
    return `gardener_${people}`
  })
  return (await world.members(...names)) as Actor[] as [Actor, Actor, Actor, Actor]
}

type Posted = Partial<CallInput<typeof createListing>['body']>

async function list(who: Actor, title: string, listing: Posted = {}) {
  const body = { title, type_id: types.giveaway, ...listing }
  const posted = await who.call(createListing, { body })
  await world.jobsDone()
  return posted
}
const wish = (who: Actor, title: string, category_id: 1 | 2 | 3 | null = null) =>
  who.call(createWant, { body: { title, category_id } })
const matchesOf = (who: Actor, query: CallInput<typeof listMatches>['query'] = {}) =>
  who.call(listMatches, { query })
const fits = async (who: Actor) => (await matchesOf(who)).map(({ listing }) => listing.title)
const told = async (who: Actor) =>
  (await who.call(listNotifications, { query: {} })).map(
    ({ kind, match }) => `${kind} ${match?.listing_title}`,
  )

describe('a match is found', () => {
  test('when a listing is posted: at once told, with its reason, to whoever wants it by any name', async () => {
    const [ann, bob] = await some(2)
    const want = await wish(bob, 'courgettes', categories.produce)
    using bobs = await openLine(bob)

    const body = { title: 'Zucchini, more than enough', type_id: types.giveaway }
    const listing = await ann.call(createListing, { body })
    await expect.poll(() => bobs.heard('notification'), { timeout: 1000, interval: 20 }).toHaveLength(1)

    const user = { id: ann.id, username: ann.username, profile_picture: null }
    expect(await matchesOf(bob)).toEqual([
      {
        want: { id: want.id, title: 'courgettes', category_id: categories.produce },
        listing,
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
    }
    expect(bobs.heard('notification')).toEqual([notification])
    expect(await bob.call(listNotifications, { query: {} })).toEqual([notification])
    expect(await bob.call(countUnreadNotifications)).toBe(1)
    expect(await matchesOf(ann)).toEqual([])
  })

  test('when a want is added, among what is there: told once, of the newest and of how many more', async () => {
    const [ann, bob] = await some(2)
    for (const title of ['Quince jelly fruit', 'Quinces', 'Quinces, the last'])
      await list(ann, title, { category_id: categories.produce })
    await list(ann, 'Quince tree', { category_id: categories.plants })
    using bobs = await openLine(bob)

    const want = await wish(bob, 'quince', categories.produce)
    expect(want.listing_count).toBe(3)
    await expect.poll(() => bobs.heard('notification')).toHaveLength(1)
    expect(bobs.heard('notification')[0]?.match).toMatchObject({
      listing_title: 'Quinces, the last',
      more: 2,
    })
    expect(await fits(bob)).toEqual(['Quince jelly fruit', 'Quinces', 'Quinces, the last'].toReversed())
    expect(await told(bob)).toEqual(['match Quinces, the last'])
    expect(await bob.call(listWants, { query: {} })).toMatchObject([{ listing_count: 3 }])
  })

  test('once for each listing, whatever number of wants it fits', async () => {
    const [ann, bob] = await some(2)
    for (const title of ['leeks', 'alliums', 'winter leeks']) await wish(bob, title)
    await list(ann, 'Leeks')
    expect(await matchesOf(bob)).toHaveLength(3)
    const [notification, ...others] = await bob.call(listNotifications, { query: {} })
    expect([notification?.match?.more, others]).toEqual([2, []])
  })

  test('never among one’s own, nor in another category, nor of what is put away or gone', async () => {
    const [ann, bob] = await some(2)
    await wish(ann, 'medlars')
    await wish(bob, 'medlars', categories.plants)
    await list(ann, 'Medlars, a bowl', { category_id: categories.produce })
    await list(ann, 'Medlars in the shed', { is_active: false })
    await list(ann, 'Medlars, all of them', { state_id: states.gone })
    expect([await fits(ann), await fits(bob), await told(bob)]).toEqual([[], [], []])
  })
})

describe('a match goes and comes', () => {
  test('with the words of the listing, and is told once', async () => {
    const [ann, bob] = await some(2)
    await wish(bob, 'salsify')
    const { id } = await list(ann, 'Salsify')
    const params = { id }
    const change = async (body: CallInput<typeof updateListing>['body']) => {
      await ann.call(updateListing, { params, body })
      await world.jobsDone()
      return fits(bob)
    }
    expect(await change({ title: 'Old bricks' })).toEqual([])
    expect(await told(bob)).toEqual([])
    expect(await bob.call(countUnreadNotifications)).toBe(0)
    expect(await change({ title: 'Oyster plant' })).toEqual(['Oyster plant'])
    expect(await change({ category_id: categories.seeds })).toEqual(['Oyster plant'])
    expect(await change({ state_id: states.gone })).toEqual([])
    expect(await change({ state_id: states.available, is_active: false })).toEqual([])
    expect(await change({ is_active: true })).toEqual(['Oyster plant'])
    expect(await told(bob)).toEqual(['match Oyster plant'])
    await ann.call(deleteListing, { params })
    expect([await fits(bob), await told(bob)]).toEqual([[], []])
  })

  test('with the words of the want', async () => {
    const [ann, bob] = await some(2)
    await list(ann, 'Scorzonera')
    const want = await wish(bob, 'scorzonera')
    const params = { id: want.id }
    const renamed = async (title: string) =>
      (await bob.call(renameWant, { params, body: { title } })).listing_count
    expect([want.listing_count, await renamed('old bricks'), await renamed('black salsify')]).toEqual([
      1, 0, 1,
    ])
    expect(await told(bob)).toEqual(['match Scorzonera'])
    await bob.call(deleteWant, { params })
    expect([await fits(bob), await told(bob)]).toEqual([[], []])
  })

  test('“not this” is never shown again for that want, whatever happens', async () => {
    const [ann, bob, cat] = await some(3)
    const [want, other] = [await wish(bob, 'celtuce'), await wish(bob, 'stem lettuce')]
    const { id } = await list(ann, 'Celtuce')
    const params = { want_id: want.id, listing_id: id }
    for (const nobody of [cat, ann]) {
      expect(await nobody.try(dismissMatch, { params })).toMatchObject({
        status: 404,
        body: { detail: 'Match not found' },
      })
    }
    expect((await bob.try(dismissMatch, { params })).status).toBe(204)
    expect((await bob.try(dismissMatch, { params })).status).toBe(404)
    await ann.call(updateListing, { params: { id }, body: { description: 'Still celtuce.' } })
    await world.jobsDone()
    await bob.call(renameWant, { params: { id: want.id }, body: { title: 'celtuces' } })
    expect((await matchesOf(bob)).map((match) => match.want.id)).toEqual([other.id])
    expect((await bob.call(listWants, { query: {} })).map((own) => own.listing_count)).toEqual([0, 1])
  })
})

describe('who gets to see what', () => {
  test('what is for friends fits friends’ wants alone, from when they become friends until they part', async () => {
    const [ann, bob, cat] = await some(3)
    await world.befriend(ann, bob)
    await wish(bob, 'loquats')
    await wish(cat, 'loquats')
    using cats = await openLine(cat)
    const { id } = await list(ann, 'Loquats', { is_public: false })
    expect([await fits(bob), await fits(cat)]).toEqual([['Loquats'], []])
    expect([await told(bob), cats.heard('notification')]).toEqual([
      expect.arrayContaining(['match Loquats']),
      [],
    ])
    const kept = await world.db.selectFrom('matches').select('user_id').where('listing_id', '=', id).execute()
    expect(kept).toEqual([{ user_id: bob.id }])

    await world.befriend(ann, cat)
    await world.jobsDone()
    expect(await fits(cat)).toEqual(['Loquats'])
    expect(await told(cat)).toContain('match Loquats')
    await cat.call(removeFriend, { params: { id: ann.id } })
    expect([await fits(cat), (await told(cat)).filter((one) => one.startsWith('match'))]).toEqual([[], []])

    await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
    await world.jobsDone()
    expect([await fits(bob), await fits(cat)]).toEqual([['Loquats'], ['Loquats']])
  })

  test('when a listing turns public, everybody who wants it is told', async () => {
    const [ann, bob] = await some(2)
    await wish(bob, 'kohlrabi')
    const { id } = await list(ann, 'Kohlrabi', { is_public: false })
    expect(await told(bob)).toEqual([])
    await ann.call(setVisibility, { params: { id }, body: { is_public: true } })
    await world.jobsDone()
    expect(await told(bob)).toEqual(['match Kohlrabi'])
  })

  test('nothing of who is blocked, either way, nor of who is suspended, nor what is hidden; told it is not, later it is there', async () => {
    const [ann, bob, cat, dan] = await some(4)
    await ann.call(blockMember, { params: { id: bob.id } })
    await cat.call(blockMember, { params: { id: ann.id } })
    for (const who of [bob, cat, dan]) await wish(who, 'feijoa')
    const { id } = await list(ann, 'Feijoas')
    const seen = async () => [await fits(bob), await fits(cat), await fits(dan)]
    const wanters = async () =>
      (await ann.call(listWantedBy, { params: { id }, query: {} })).map(({ user }) => user.id)
    expect(await seen()).toEqual([[], [], ['Feijoas']])
    expect([await told(bob), await told(cat), await told(dan)]).toEqual([[], [], ['match Feijoas']])
    expect(await wanters()).toEqual([dan.id])

    await ann.call(unblockMember, { params: { id: bob.id } })
    await cat.call(unblockMember, { params: { id: ann.id } })
    expect(await seen()).toEqual([['Feijoas'], ['Feijoas'], ['Feijoas']])
    expect(await wanters()).toEqual([dan.id, cat.id, bob.id])
    await world.suspend(bob)
    expect(await wanters()).toEqual([dan.id, cat.id])

    const hide = (hidden_at: string | null) =>
      world.db.updateTable('listings').set({ hidden_at }).where('id', '=', id).execute()
    await hide(new Date().toISOString())
    expect([await fits(dan), await told(dan), await dan.call(countUnreadNotifications)]).toEqual([[], [], 0])
    await hide(null)
    await world.suspend(ann)
    expect([await fits(dan), await told(dan), await dan.call(countUnreadNotifications)]).toEqual([[], [], 0])
  })

  test('what is too far away fits nobody who has said how far; an unknown postcode is nowhere and passes', async () => {
    const [near, far, here, anywhere] = await some(4)
    await near.call(updateProfile, { body: { zip_code: '97214' } })
    await here.call(updateProfile, { body: { zip_code: '97202' } })
    await far.call(updateProfile, { body: { zip_code: '10001' } })
    await here.call(updatePreferences, { body: { match_radius: 25 } })
    for (const who of [here, anywhere]) await wish(who, 'tayberries')
    await list(near, 'Tayberries, near')
    await list(far, 'Tayberries, far')
    expect(await fits(here)).toEqual(['Tayberries, near'])
    expect((await matchesOf(here))[0]?.listing.within_miles).toBe(5)
    expect(await told(here)).toEqual(['match Tayberries, near'])
    expect(await fits(anywhere)).toEqual(['Tayberries, far', 'Tayberries, near'])

    await here.call(updatePreferences, { body: { match_radius: null } })
    await world.jobsDone()
    expect(await fits(here)).toEqual(['Tayberries, far', 'Tayberries, near'])
    await here.call(updatePreferences, { body: { match_radius: 10 } })
    expect(await fits(here)).toEqual(['Tayberries, near'])
    expect((await here.call(listWants, { query: {} }))[0]?.listing_count).toBe(1)
    await far.call(updateProfile, { body: { zip_code: '00000' } })
    await world.jobsDone()
    expect(await fits(here)).toContain('Tayberries, far')
  })

  test('guests nothing, strangers nothing of another’s listing, and one’s own wants alone', async () => {
    const [ann, bob, cat] = await some(3)
    const want = await wish(bob, 'jostaberries')
    const { id } = await list(ann, 'Jostaberries')
    const { id: hidden } = await list(ann, 'Jostaberries too', { is_active: false })
    const guest = world.guest()
    const body = { title: 'Figs' }
    const params = { id }
    expect((await guest.try(listMatches, { query: {} })).status).toBe(401)
    expect((await guest.try(countWanting, { body })).status).toBe(401)
    expect((await guest.try(previewMatchMail)).status).toBe(401)
    expect((await guest.try(listWantedBy, { params, query: {} })).status).toBe(401)
    expect((await guest.try(dismissMatch, { params: { want_id: want.id, listing_id: id } })).status).toBe(401)
    expect(await cat.try(listWantedBy, { params, query: {} })).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to see who wants this listing' },
    })
    for (const missing of [hidden, 999_999]) {
      expect(await cat.try(listWantedBy, { params: { id: missing }, query: {} })).toMatchObject({
        status: 404,
        body: { detail: 'Listing not found' },
      })
    }
    expect(await matchesOf(cat, { want_id: want.id })).toEqual([])
    expect(await matchesOf(bob, { want_id: want.id })).toHaveLength(1)
  })
})

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
    await ann.call(dismissMatch, {
      params: { want_id: pomelos?.want.id ?? 0, listing_id: pomelos?.listing.id ?? 0 },
    })
    expect((await swaps(bob)).map(([, isSwap]) => isSwap)).toEqual([false, false, false, false])
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

describe('how many want something', () => {
  test('is said while one writes: members, not wants, without oneself', async () => {
    const [ann, bob, cat] = await some(3)
    for (const who of [ann, bob, cat]) await wish(who, 'gooseberries', categories.produce)
    await wish(bob, 'goosberry')
    const count = async (title: string, category_id: 1 | 2 | null = null) =>
      (await ann.call(countWanting, { body: { title, category_id } })).count
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
})

describe('however many there are', () => {
  test('a listing that thousands want is worked off in parts, and all of them get it once', async () => {
    const [ann, bob] = await some(2)
    await world.db
      .insertInto('wants')
      .values(Array.from({ length: 2500 }, () => ({ user_id: bob.id, title: 'Salsola' })))
      .execute()
    await world.runJob(catchUpWants)
    const { id } = await list(ann, 'Salsola, a box')
    const rows = await world.db.selectFrom('matches').select('want_id').where('listing_id', '=', id).execute()
    expect(rows).toHaveLength(2500)
    expect((await world.jobsOf('match-listing')).filter(({ state }) => state !== 'completed')).toEqual([])

    const seen = new Set<number>()
    let path: string | undefined = `/api/listings/${id}/matches?limit=100`
    for (let pages = 0; path && pages < 40; pages += 1) {
      const page: Reply<{ want: { id: number } }[]> = await ann.send('GET', path)
      for (const { want } of page.body) seen.add(want.id)
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(seen.size).toBe(2500)
    await ann.call(updateListing, { params: { id }, body: { title: 'Old bricks' } })
    await world.jobsDone()
    expect(await fits(bob)).toEqual([])
  })

  test('what fits comes page by page, swaps first', async () => {
    const [ann, bob] = await some(2)
    await wish(bob, 'pawpaws')
    await wish(ann, 'mangels')
    await list(bob, 'Mangels', { type_id: types.exchange })
    for (let count = 0; count < 5; count += 1)
      await list(ann, `Pawpaw ${count}`, { type_id: count % 2 ? types.exchange : types.giveaway })
    const titles: string[] = []
    let path: string | undefined = '/api/matches?limit=2'
    while (path) {
      const page: Reply<Match[]> = await bob.send('GET', path)
      titles.push(...page.body.map(({ listing }) => listing.title))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
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
    '\u202Ekale\u202C',
  ])('no title is too odd: %s', async (title) => {
    const [ann, bob] = await some(2)
    await wish(bob, title.slice(0, 80))
    await list(ann, title)
    await wish(ann, title.slice(0, 80))
    expect((await world.jobsOf('match-listing')).filter(({ state }) => state !== 'completed')).toEqual([])
  })
})
