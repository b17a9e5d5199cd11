import { afterAll, describe, expect, test } from 'vitest'
import { categories, types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, getListing, setVisibility } from '#contract/listings.ts'
import { listMatches } from '#contract/matches.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { updateProfile } from '#contract/profile.ts'
import { createWant, listWants } from '#contract/wants.ts'
import type { Actor } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [owner, friend, stranger, requested] = await world.members('owner', 'friend', 'stranger', 'requested')
await world.befriend(owner, friend)
const [low_id = 0, high_id = 0] = [owner.id, requested.id].sort((a, b) => a - b)
await world.db
  .insertInto('friendships')
  .values({ low_id, high_id, requester_id: owner.id, status: 'pending' })
  .execute()

const kinds = {
  'active and public': { is_active: true, is_public: true },
  'active, for friends': { is_active: true, is_public: false },
  'inactive and public': { is_active: false, is_public: true },
  'inactive, for friends': { is_active: false, is_public: false },
}
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]
const ids = new Map<Kind, number>()
for (const kind of names) {
  const body = { title: kind, type_id: types.giveaway, ...kinds[kind] }
  ids.set(kind, (await owner.call(createListing, { body })).id)
}
const idOf = (kind: Kind) => ids.get(kind) ?? 0

const visible: [name: string, who: Actor, sees: Kind[]][] = [
  ['the owner', owner, names],
  ['a friend', friend, ['active and public', 'active, for friends']],
  ['a member with a pending friend request', requested, ['active and public']],
  ['a stranger', stranger, ['active and public']],
]

describe.each(visible)('%s', (_, who, sees) => {
  const titles = async (query: Parameters<typeof who.call<typeof listListings>>[1]['query']) =>
    (await who.call(listListings, { query })).map(({ title }) => title).reverse()

  test("sees the visible listings in the owner's list and in the list of all", async () => {
    expect(await titles({ user_id: owner.id })).toEqual(sees)
    expect(await titles({})).toEqual(sees)
  })

  test('sees only active public listings in the public list', async () => {
    expect(await titles({ public: 'true' })).toEqual(['active and public'])
  })

  test("sees only friends' active listings in the friends' list", async () => {
    expect(await titles({ friends: 'true' })).toEqual(who === friend ? sees : [])
  })

  test('sees only their own listings in their own list', async () => {
    expect(await titles({ mine: 'true' })).toEqual(who === owner ? names : [])
  })
})

test('returns the same bytes for invisible and unknown listings', async () => {
  const hidden = await stranger.try(getListing, { params: { id: idOf('active, for friends') } })
  expect(hidden.body).toMatchObject({ status: 404, detail: 'Listing not found' })

  for (const path of ['987654321', '0', '-1', '1.5', 'one', '9'.repeat(40), '1%00', '%F0%9F%8D%85']) {
    const none = await stranger.send('GET', `/api/listings/${path}`)
    expect(none.status).toBe(404)
    expect(JSON.stringify(none.body)).toBe(JSON.stringify(hidden.body))
    expect([...none.headers.keys()]).toEqual([...hidden.headers.keys()])
  }
})

/** Returns paths of lists and searches in which a listing could appear. */
function listPaths(): string[] {
  const orders = [
    ...['sort=oldest', 'sort=nearest', 'max_price=50'],
    ...shortOrLong([], ['sort=highest', 'sort=lowest', 'near=5']),
  ]
  const lists = ['', 'public=true', 'friends=true', 'mine=true', `user_id=${owner.id}`]
  const searches = [
    ...['wheelbarrow', 'wheelbarow', 'wheelbarro', 'wheelba', 'wheel', 'barow', 'tomatillo'],
    ...['tomatillo wheelbarow', 'wheelbarow tomatillo', 'barow wheelbarrow'],
  ]
  return [
    ...lists.flatMap((list) => [list, ...orders.map((order) => `${list}&${order}`)]),
    ...searches.map((q) => `q=${encodeURIComponent(q)}`),
    ...shortOrLong([], searches).map((q) => `public=true&q=${encodeURIComponent(q)}`),
  ].map((query) => `/api/listings?${query}`)
}

/** Returns the response to the stranger, without headers that always differ. */
const bytes = async (...[method, path, init]: Parameters<typeof stranger.send>) => {
  const { status, headers, body } = await stranger.send(method, path, init)
  const stableHeaders = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return { status, stableHeaders, body: JSON.stringify(body) }
}

test('an invisible listing does not change any response by a byte', async () => {
  const { produce } = categories
  for (const [member, zip_code] of [
    [owner, '97214'],
    [stranger, '97215'],
  ] as const)
    await member.call(updateProfile, { body: { zip_code } })
  const give = { type_id: types.giveaway, category_id: produce }
  await stranger.call(createWant, { body: { title: 'Tomatillos', category_id: produce } })
  const { id: visibleId } = await owner.call(createListing, {
    body: { title: 'Wheelbarrow with tomatillos', ...give },
  })
  await world.jobsDone()

  const others = [
    ...['/api/listings/want-listings', '/api/matches', '/api/notifications', '/api/auth/users?q=owner'],
    ...[`/api/auth/users/${owner.id}/public`, `/api/listings/${visibleId}`],
  ]
  const responses = async () => {
    const all = new Map<string, unknown>()
    for (const path of [...listPaths(), ...others]) all.set(path, await bytes('GET', path))
    return all
  }
  const before = await responses()
  const hidden = { title: 'Wheelbarow for tomatillos', description: 'Of wheel and barow', ...give }
  for (const [kind, flags] of Object.entries(kinds).slice(1, shortOrLong(3, 4))) {
    const body = { ...hidden, ...flags }
    const { id } = await owner.call(createListing, { body, file: await photo() })
    await world.jobsDone()
    expect({ kind, responses: await responses() }).toEqual({ kind, responses: before })

    await owner.call(deleteListing, { params: { id } })
  }
  await owner.call(deleteListing, { params: { id: visibleId } })
})

describe('the visibility of a listing', () => {
  test('takes effect in every list at once', async () => {
    const { id } = await owner.call(createListing, { body: { title: 'Garlic', type_id: types.exchange } })
    const isListedFor = async (member: Actor) =>
      (await member.call(listListings, { query: { user_id: owner.id } })).some((listing) => listing.id === id)

    const hidden = await owner.try(setVisibility, { params: { id }, body: { is_public: false } })
    expect(hidden).toMatchObject({ status: 200, body: { id, is_public: false, title: 'Garlic' } })
    expect(hidden.body.updated_at >= hidden.body.created_at).toBe(true)
    expect([await isListedFor(stranger), await isListedFor(friend)]).toEqual([false, true])

    const shown = await owner.try(setVisibility, { params: { id }, body: { is_public: true } })
    expect(shown).toMatchObject({ status: 200, body: { is_public: true } })
    expect([await isListedFor(stranger), await isListedFor(friend)]).toEqual([true, true])
    await world.db.deleteFrom('listings').where('id', '=', id).execute()
  })

  test.each([undefined, null, 'true', 1, {}])('can not be %j', async (is_public) => {
    const { status, body } = await owner.send(
      'PATCH',
      `/api/listings/${idOf('active and public')}/visibility`,
      {
        body: JSON.stringify({ is_public }),
        headers: { 'content-type': 'application/json' },
      },
    )

    expect(status).toBe(422)
    expect(body.errors).toEqual([{ field: 'is_public', message: 'Please say whether the listing is public' }])
  })

  test('is the only field that such a call changes', async () => {
    const id = idOf('active and public')
    const before = await owner.call(getListing, { params: { id } })
    await owner.send('PATCH', `/api/listings/${id}/visibility`, {
      body: JSON.stringify({ is_public: true, title: 'Mine now', owner_id: stranger.id, is_active: false }),
      headers: { 'content-type': 'application/json' },
    })

    expect(await owner.call(getListing, { params: { id } })).toEqual({
      ...before,
      updated_at: expect.any(String),
    })
  })
})

describe('while one member blocks another', async () => {
  const town = await newWorld()
  afterAll(() => town[Symbol.asyncDispose]())

  test.each(['the blocking member', 'the blocked member'])(
    '%s sees no listing, match or notification of the other',
    async (side) => {
      const [ann, bob] = await town.uniqueMembers('ann', 'bob')
      for (const member of [ann, bob]) await member.call(updateProfile, { body: { zip_code: '97214' } })
      await town.befriend(ann, bob)
      await ann.call(createWant, { body: { title: 'Tomatillos', category_id: categories.produce } })
      const give = { type_id: types.giveaway, category_id: categories.produce }
      const { id } = await bob.call(createListing, { body: { title: 'Tomatillos', ...give } })
      await bob.call(createListing, { body: { title: 'Wheelbarrow', is_public: false, ...give } })
      await town.jobsDone()

      const lists: Parameters<typeof ann.call<typeof listListings>>[1]['query'][] = [
        ...[{}, { public: 'true' }, { friends: 'true' }, { user_id: bob.id }, { q: 'tomatillos' }],
        ...[
          { public: 'true', q: 'tomatilos' },
          { public: 'true', near: 5 },
          { public: 'true', sort: 'nearest' },
        ],
        ...[{ public: 'true', sort: 'lowest' }, { category_id: categories.produce }, { q: 'wheelbarrow' }],
      ] as const
      const counts = async () => {
        const lengths = []
        for (const query of lists) lengths.push((await ann.call(listListings, { query })).length)
        return lengths
      }
      const others = async () => [
        (await ann.try(getListing, { params: { id } })).status,
        (await ann.call(listMatches, { query: {} })).length,
        (await ann.call(listNotifications, { query: {} })).filter(({ kind }) => kind === 'match').length,
        (await ann.call(listWants, { query: {} })).map(({ listing_count }) => listing_count),
      ]
      const before = await counts()
      expect(before).not.toContain(0)
      expect(await others()).toEqual([200, 1, 1, [1]])

      const [blocker, blocked] = side === 'the blocking member' ? [ann, bob] : [bob, ann]
      await blocker.call(blockMember, { params: { id: blocked.id } })
      expect(await counts()).toEqual(lists.map(() => 0))
      expect(await others()).toEqual([404, 0, 0, [0]])
      await bob.call(createListing, { body: { title: 'Tomatillos again', ...give } })
      await town.jobsDone()
      expect(await counts()).toEqual(lists.map(() => 0))
      expect(await others()).toEqual([404, 0, 0, [0]])

      await blocker.call(unblockMember, { params: { id: blocked.id } })
      const publicOnes = await ann.call(listListings, { query: { public: 'true' } })
      expect(publicOnes.map(({ title }) => title)).toEqual(['Tomatillos again', 'Tomatillos'])
      await town.db.deleteFrom('listings').execute()
    },
  )
})
