import type { Request } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import { createTrade } from '#contract/trades.ts'
import { hub } from '#server/features.ts'
import { ageListing } from './age-listing.ts'
import { withDatabase } from './database.ts'
import { type Account, expect, type Member, test, type World } from './fixtures.ts'
import { list, want } from './trading.ts'

// A notice of the desk is about nothing that a screen shows.
const kinds = [...hub.kinds.keys()].filter((kind) => kind !== 'notice')
const steps = kinds.filter((kind) => /^(trade|pickup)_/.test(kind))

interface Notified {
  readonly ann: Member
  readonly bob: Account
  /** The path of each screen, and the kinds whose notifications it reads. */
  readonly screens: ReadonlyMap<string, readonly string[]>
  /** Notifies Ann of everything once more. */
  renew(): Promise<void>
}

/** Gives Ann a listing that ends, a request for another one, and what she wants, from Bob. */
async function notified(world: World): Promise<Notified> {
  const [ann, bob] = [await world.member('ann'), await world.account('bob')]
  // A unique word keeps out the listings of other tests. It has no vowel or digit, so no name of a crop is in it.
  const crop = world
    .uniqueName('')
    .replace(/\W|_/g, '')
    .replace(/[0-9a-f]/g, (hex) => 'bcdfghjklmnpqrst'.charAt(Number.parseInt(hex, 16)))
  const want_id = (await want(ann, crop)).id
  const theirs = await bob.actor.call(createListing, {
    body: { title: crop, price: 5, type_id: types.sell },
  })
  const asked = await list(ann, 'Potato onions', { is_public: true })
  const ending = await list(ann, 'Tree spinach', { is_public: true })
  const { id: trade_id } = await bob.actor.call(createTrade, { body: { listing_id: asked } })
  await ageListing(ending, 13)
  const subjectOf = (kind: string): { about: [string, number]; data: object } => {
    if (steps.includes(kind)) return { about: ['trade', trade_id], data: { trade_id } }
    if (kind === 'match' || kind === 'swap')
      return { about: ['listing', theirs.id], data: { want_id, listing_id: theirs.id, more: 0 } }
    if (kind === 'price_dropped')
      return { about: ['listing', theirs.id], data: { listing_id: theirs.id, from: 9 } }
    if (kind === 'listing_ending') return { about: ['listing', ending], data: { listing_id: ending } }
    if (kind === 'ring') return { about: ['matches', 0], data: {} }
    return { about: ['member', bob.actor.id], data: {} }
  }
  const renew = () =>
    withDatabase(async (client) => {
      await client.query('update listings set remind_at = null where id = $1', [ending])
      await client.query('delete from notifications where user_id = $1', [ann.actor.id])
      for (const kind of kinds) {
        const { about, data } = subjectOf(kind)
        await client.query(
          `insert into notifications (user_id, from_id, kind, about_type, about_id, data) values ($1, $2, $3, $4, $5, $6)`,
          [ann.actor.id, bob.actor.id, kind, ...about, data],
        )
      }
    })
  // The jobs that notify Ann of these would otherwise do it later.
  const kindsNow = async () =>
    (await ann.actor.call(listNotifications, { query: {} })).map(({ kind }) => kind)
  await expect.poll(kindsNow).toEqual(expect.arrayContaining(['match', 'trade_requested']))
  const screens = new Map([
    [`/trades/${trade_id}`, steps],
    ['/trades', steps],
    [`/listings/${asked}`, steps],
    [`/messages/${bob.actor.id}`, steps],
    [`/listings/${theirs.id}`, ['match', 'swap', 'price_dropped']],
    ['/matches', ['match', 'swap', 'ring']],
    [`/listings/${ending}`, ['listing_ending']],
    ['/my-listings', ['listing_ending']],
    [`/seller/${bob.actor.id}`, ['friend_request', 'friend_accepted']],
    ['/myfriends', ['friend_request', 'friend_accepted']],
  ])
  return { ann, bob, screens, renew }
}

test('every kind of notification is read by looking at what it is about', async ({ world }) => {
  const { ann, screens, renew } = await notified(world)
  const readKinds = async () => {
    const all = await ann.actor.call(listNotifications, { query: { limit: 50 } })
    expect(all).toHaveLength(kinds.length)
    return all.flatMap(({ kind, read_at }) => (read_at === null ? [] : kind)).toSorted()
  }
  // A call that is under way when a screen is left would read the new ones.
  const calls = new Set<Request>()
  ann.page.on('request', (request) => request.url().endsWith(readNotifications.path) && calls.add(request))
  ann.page.on('requestfinished', (request) => calls.delete(request))
  ann.page.on('requestfailed', (request) => calls.delete(request))
  for (const [path, shown] of screens)
    await test.step(`${path} reads ${shown.join(', ')}`, async () => {
      await expect.poll(() => calls.size).toBe(0)
      await ann.page.goto('about:blank')
      await renew()
      expect(await readKinds()).toEqual([])
      await ann.page.goto(path)
      await expect.poll(readKinds).toEqual(shown.toSorted())
    })
  expect(new Set([...screens.values()].flat())).toEqual(new Set(kinds))
})
