import { expect } from 'vitest'
import { z } from 'zod'
import type { CallInput } from '#contract/endpoint.ts'
import { getImage } from '#contract/images.ts'
import { listAreas, listListings } from '#contract/listing-queries.ts'
import { getListing } from '#contract/listings.ts'
import {
  countInterested,
  countInterestedIn,
  listInterested,
  listMatches,
  previewMatchMail,
} from '#contract/matches.ts'
import { getPublicMember } from '#contract/members.ts'
import { countUnreadMessages, listMessages, listThreads } from '#contract/messages.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { exportProfile } from '#contract/profile.ts'
import { listRings, listThanks, listTrades } from '#contract/trades.ts'
import { listNearbyWants } from '#contract/wants.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import {
  areBlocked,
  areFriends,
  type Facts,
  isListed,
  isOfferedTo,
  isOpenToGuests,
  isPublished,
  isUnseen,
  isWithheld,
  type ListingFacts,
  maySee,
  pair,
} from './reference.ts'
import { crops, type Posted, type VisibilityWorld, wanted } from './visibility-world.ts'

/** A listing as it was posted, with the facts of this run. */
type Listing = Posted & ListingFacts

/** Rows that were stored while every member saw everything. */
export interface Stored {
  readonly matches: readonly { user_id: number; listing_id: number }[]
  readonly rings: readonly (readonly number[])[]
  /** The listing of each message. */
  readonly cards: ReadonlyMap<number, number | null>
  readonly notifications: readonly {
    id: number
    user_id: number
    from_id: number
    /** The listing of a match. */
    listing_id: number | null
  }[]
}

export async function readStored({ world: { db } }: VisibilityWorld): Promise<Stored> {
  const messages = await db.selectFrom('messages').select(['id', 'listing_id']).execute()
  const rings = await db.selectFrom('ring_legs').select(['ring_id', 'listing_id']).execute()
  return {
    matches: await db
      .selectFrom('matches')
      .select(['user_id', 'listing_id'])
      .where('fits', '=', true)
      .execute(),
    rings: [...Map.groupBy(rings, ({ ring_id }) => ring_id).values()].map((legs) =>
      legs.map(({ listing_id }) => listing_id),
    ),
    cards: new Map(messages.map(({ id, listing_id }) => [id, listing_id])),
    notifications: await db
      .selectFrom('notifications')
      .select(({ eb }) => [
        'id',
        'user_id',
        'from_id',
        eb.case().when('about_type', '=', 'listing').then(eb.ref('about_id')).end().as('listing_id'),
      ])
      .execute(),
  }
}

interface Viewpoint {
  readonly setting: VisibilityWorld
  readonly facts: Facts
  readonly listings: readonly Listing[]
  readonly stored: Stored
  readonly viewer: number
}

const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)

/** Checks every way by which every member, and a guest, could see a listing. */
export async function checkAllWays(
  setting: VisibilityWorld,
  stored: Stored,
  facts: Facts,
  listingFacts: readonly ListingFacts[],
): Promise<void> {
  const listings = setting.listings.flatMap((posted, index) => {
    const known = listingFacts[index]
    return known ? [{ ...posted, ...known }] : []
  })
  const viewers = setting.members.flatMap((_, viewer) => {
    const { suspended = false, deleted = false } = facts.members[viewer] ?? {}
    return suspended || deleted ? [] : [{ setting, facts, listings, stored, viewer }]
  })
  // Looking at a listing reads its notifications, which are then not sent.
  await checkSent(setting, viewers)
  await Promise.all(
    viewers.map(async (viewpoint) => {
      await checkLists(viewpoint)
      await checkOneByOne(viewpoint)
      await checkMatches(viewpoint)
      await checkInterest(viewpoint)
      await checkNearbyWants(viewpoint)
      await checkTrades(viewpoint)
      await checkMessages(viewpoint)
      await checkNotifications(viewpoint)
      await checkExport(viewpoint)
    }),
  )
  await checkGuest(setting, facts, listings)
}

async function checkLists({ setting, facts, listings, viewer }: Viewpoint): Promise<void> {
  const actor = setting.member(viewer)
  const expectList = async (
    query: Parameters<typeof actor.call<typeof listListings>>[1]['query'],
    expected: (listing: Listing) => boolean,
  ) => {
    const found = await actor.call(listListings, { query })
    expect([query, sorted(found.map(({ id }) => id))]).toEqual([
      query,
      sorted(listings.filter(expected).map(({ id }) => id)),
    ])
  }
  const sees = (listing: Listing) => maySee(facts, viewer, listing)
  const isShown = (listing: Listing) => sees(listing) && !listing.expired
  const inMarket = (listing: Listing) => isShown(listing) && listing.state !== 'gone'
  await expectList({}, inMarket)
  await expectList({ public: 'true' }, (listing) => isPublished(listing) && inMarket(listing))
  await expectList(
    { friends: 'true' },
    (listing) => areFriends(facts, viewer, listing.owner) && isListed(listing) && inMarket(listing),
  )
  const expectCount = async (
    query: CallInput<typeof listAreas>['query'],
    expected: (listing: Listing) => boolean,
  ) => {
    const areas = await actor.call(listAreas, { query })
    expect([query, areas.reduce((sum, { count }) => sum + count, 0)]).toEqual([
      query,
      listings.filter(expected).length,
    ])
  }
  await expectCount({}, inMarket)
  await expectCount({ public: 'true' }, (listing) => isPublished(listing) && inMarket(listing))
  await expectCount(
    { friends: 'true' },
    (listing) => areFriends(facts, viewer, listing.owner) && isListed(listing) && inMarket(listing),
  )
  await expectList({ mine: 'true' }, ({ owner, deleted }) => owner === viewer && !deleted)
  for (const [owner, { id }] of setting.members.entries())
    await expectList({ user_id: id }, (listing) => listing.owner === owner && isShown(listing))
  for (const listing of listings) {
    const found = await actor.call(listListings, { query: { q: listing.crop } })
    expect([listing.title, found.some(({ id }) => id === listing.id)]).toEqual([
      listing.title,
      inMarket(listing),
    ])
  }
}

async function checkOneByOne({ setting, facts, listings, viewer }: Viewpoint): Promise<void> {
  const actor = setting.member(viewer)
  for (const listing of listings) {
    const visible = maySee(facts, viewer, listing)
    const one = await actor.try(getListing, { params: { id: listing.id } })
    const image = await actor.try(getImage, { params: { id: listing.photo } })
    expect([listing, one.status, image.status]).toEqual([
      listing,
      visible ? 200 : 404,
      visible || isOpenToGuests(facts, listing) ? 200 : 404,
    ])
  }
  for (const [index, { id }] of setting.members.entries()) {
    const { suspended, deleted } = facts.members[index] ?? {}
    const { status } = await actor.try(getPublicMember, { params: { id } })
    expect(status).toBe(suspended || deleted ? 404 : 200)
  }
}

/** Checks the photos without a login, as mails show them. A block does not hide a public photo, because a guest sees it. */
async function checkGuest(setting: VisibilityWorld, facts: Facts, listings: readonly Listing[]) {
  for (const listing of listings) {
    const { status } = await setting.world.guest().try(getImage, { params: { id: listing.photo } })
    expect([listing, status === 200]).toEqual([listing, isOpenToGuests(facts, listing)])
  }
}

const isMatched = ({ setting, stored }: Viewpoint, member: number, listing: Listing) =>
  stored.matches.some(
    (match) => match.user_id === setting.member(member).id && match.listing_id === listing.id,
  )
/** Returns whether the member is shown a match with the listing. */
const isOffer = (viewpoint: Viewpoint, member: number, listing: Listing) =>
  isMatched(viewpoint, member, listing) && isOfferedTo(viewpoint.facts, member, listing)

async function checkMatches(viewpoint: Viewpoint): Promise<void> {
  const { setting, facts, listings, stored, viewer } = viewpoint
  const actor = setting.member(viewer)
  const isSwap = ({ owner }: Listing) =>
    listings.some((own) => own.owner === viewer && isOffer(viewpoint, owner, own))
  const offers = listings.filter((listing) => isOffer(viewpoint, viewer, listing))
  const found = await actor.call(listMatches, { query: {} })
  const byId = (rows: { id: number; is_swap: boolean }[]) => rows.toSorted((one, other) => one.id - other.id)
  expect(byId(found.map(({ listing: { id }, is_swap }) => ({ id, is_swap })))).toEqual(
    byId(offers.map((listing) => ({ id: listing.id, is_swap: isSwap(listing) }))),
  )
  const { text } = await actor.call(previewMatchMail)
  expect(
    listings.filter(({ title }) => text.includes(title)).every((listing) => offers.includes(listing)),
  ).toBe(true)

  const byListing = new Map(listings.map((listing) => [listing.id, listing]))
  const isRing = (ids: readonly number[]) => {
    const ring = ids.flatMap((id) => byListing.get(id) ?? [])
    const owners = ring.map(({ owner }) => owner)
    return (
      ring.length === ids.length &&
      owners.includes(viewer) &&
      ring.every((listing) => isPublished(listing) && isListed(listing) && listing.state === 'available') &&
      owners.every((one) => !facts.members[one]?.suspended && !facts.members[one]?.deleted) &&
      owners.every((one) => owners.every((other) => !areBlocked(facts, one, other))) &&
      // With a swap two members need no ring.
      ring.every((listing, index) => {
        const taker = owners[(index + 1) % owners.length] ?? viewer
        return !listings.some(
          (own) =>
            own.owner === taker &&
            isOffer(viewpoint, listing.owner, own) &&
            isOffer(viewpoint, taker, listing),
        )
      })
    )
  }
  const keys = (rings: readonly (readonly number[])[]) => rings.map((ids) => sorted(ids).join(' ')).sort()
  const suggested = await actor.call(listRings)
  expect(keys(suggested.map(({ legs }) => legs.map(({ listing }) => listing.id)))).toEqual(
    keys(stored.rings.filter(isRing)),
  )
}

async function checkInterest(viewpoint: Viewpoint): Promise<void> {
  const { setting, facts, listings, viewer } = viewpoint
  const actor = setting.member(viewer)
  const counts = new Map(
    (await actor.call(countInterested, { query: {} })).map(({ listing_id, count }) => [listing_id, count]),
  )
  const isPresent = (member: number) => !facts.members[member]?.suspended && !facts.members[member]?.deleted
  const members = setting.members.map((_, member) => member).filter(isPresent)
  for (const listing of listings.filter(({ owner, deleted }) => owner === viewer && !deleted)) {
    const interested = members.filter((member) => isOffer(viewpoint, member, listing))
    expect([listing, counts.get(listing.id) ?? 0]).toEqual([listing, interested.length])
    const named = await actor.call(listInterested, { params: { id: listing.id }, query: {} })
    expect(sorted(named.map(({ user }) => user.id))).toEqual(
      sorted(interested.map((member) => setting.member(member).id)),
    )
  }
  const [first] = listings
  if (!first) return
  const { count } = await actor.call(countInterestedIn, { body: { title: first.crop } })
  const wanting = members.filter(
    (member) =>
      member !== viewer && isMatched(viewpoint, member, first) && !areBlocked(facts, viewer, member),
  )
  expect(count).toBe(wanting.length)
}

/** Checks the counts of members who want and offer each crop. All live in one place. */
async function checkNearbyWants({ setting, facts, listings, viewer }: Viewpoint): Promise<void> {
  const isShown = (member: number) => !facts.members[member]?.deleted && !isUnseen(facts, viewer, member)
  const expected = crops.flatMap((crop, index) => {
    const wanting = wanted.filter(
      (wants, member) => member !== viewer && wants.includes(index) && isShown(member),
    )
    const offers = listings.filter(
      (listing) =>
        listing.crop === crop &&
        listing.state !== 'gone' &&
        isListed(listing) &&
        maySee(facts, viewer, listing),
    )
    return wanting.length === 0 ? [] : [{ crop, wanted: wanting.length, offered: offers.length }]
  })
  const found = await setting.member(viewer).call(listNearbyWants, { query: {} })
  const ofPlural = (crop: string) => crops.find((plural) => plural.startsWith(crop.slice(0, 4))) ?? crop
  const byCrop = (one: { crop: string }, other: { crop: string }) => one.crop.localeCompare(other.crop)
  expect(
    found.map(({ name, wanted, offered }) => ({ crop: ofPlural(name), wanted, offered })).toSorted(byCrop),
  ).toEqual(expected.toSorted(byCrop))
}

async function checkTrades(viewpoint: Viewpoint): Promise<void> {
  const { setting, facts, listings, viewer } = viewpoint
  const actor = setting.member(viewer)
  for (const trade of await actor.call(listTrades, { query: {} }))
    for (const { listing } of trade.legs) {
      const known = listings.find(({ id }) => id === listing.id)
      if (!known || known.deleted) continue
      const visible = maySee(facts, viewer, known)
      expect([known, listing]).toMatchObject([
        known,
        {
          title: isWithheld(facts, viewer, known) ? null : known.title,
          is_visible: visible,
          featured_image: visible ? expect.any(String) : null,
        },
      ])
      if (known.hidden) expect(trade.allowed).not.toContain('accept')
    }
  for (const { id } of setting.members) {
    const thanks = await actor.try(listThanks, { params: { id }, query: {} })
    for (const { listing_title } of thanks.status === 200 ? thanks.body : [])
      for (const known of listings.filter(({ title, deleted }) => title === listing_title && !deleted))
        expect([known, isWithheld(facts, viewer, known)]).toEqual([known, false])
  }
}

async function checkMessages({ setting, facts, listings, stored, viewer }: Viewpoint): Promise<void> {
  const actor = setting.member(viewer)
  const threads = await actor.call(listThreads, { query: {} })
  let unread = 0
  for (const [other, { id }] of setting.members.entries()) {
    if (other === viewer) continue
    const reply = await actor.try(listMessages, { params: { id }, query: {} })
    const messages = reply.status === 200 ? reply.body : []
    const thread = threads.find(({ user_id }) => user_id === id)
    if (messages.length > 0)
      expect([id, thread === undefined]).toEqual([id, facts.blocks.has(pair(viewer, other))])
    if (thread) expect(thread.last_message.listing).toEqual(messages.at(-1)?.listing)
    unread += thread?.unread_count ?? 0
    for (const { id, listing } of messages) {
      const known = listings.find((about) => about.id === stored.cards.get(id))
      if (known)
        expect([known, listing?.id]).toEqual([known, maySee(facts, viewer, known) ? known.id : undefined])
    }
  }
  expect(await actor.call(countUnreadMessages)).toBe(unread)
}

async function checkNotifications({ setting, facts, listings, stored, viewer }: Viewpoint): Promise<void> {
  const actor = setting.member(viewer)
  const indexOf = (id: number) => setting.members.findIndex((member) => member.id === id)
  const expected = stored.notifications.filter(({ user_id, from_id, listing_id }) => {
    const from = indexOf(from_id)
    const { suspended, deleted } = facts.members[from] ?? {}
    if (user_id !== actor.id || suspended || deleted || facts.blocks.has(pair(viewer, from))) return false
    const about = listings.find(({ id }) => id === listing_id)
    return listing_id === null || (about !== undefined && isOfferedTo(facts, viewer, about))
  })
  const shown = await actor.call(listNotifications, { query: { limit: 100 } })
  expect(sorted(shown.map(({ id }) => id))).toEqual(sorted(expected.map(({ id }) => id)))
  expect(await actor.call(countUnreadNotifications)).toBe(expected.length)
  for (const { trade } of shown) {
    const known = listings.find(({ id }) => id === trade?.listing_id)
    if (trade && known && !known.deleted)
      expect([known, trade.listing_title]).toEqual([
        known,
        isWithheld(facts, viewer, known) ? null : known.title,
      ])
  }
}

/** The rows of each table of an export. */
const exported = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))

async function checkExport({ setting, facts, listings, viewer }: Viewpoint): Promise<void> {
  const actor = setting.member(viewer)
  const {
    trade_legs = [],
    thanks = [],
    matches = [],
    notifications = [],
  } = exported.parse(await actor.call(exportProfile))
  for (const { listing_id, title } of trade_legs) {
    const known = listings.find(({ id }) => id === listing_id)
    if (known && !known.deleted)
      expect([known, title]).toEqual([known, isWithheld(facts, viewer, known) ? undefined : known.title])
  }
  for (const { listing_title } of thanks)
    for (const known of listings.filter(({ title, deleted }) => title === listing_title && !deleted))
      expect([known, isWithheld(facts, viewer, known)]).toEqual([known, false])
  for (const { listing_id } of [...matches, ...notifications]) {
    const known = listings.find(({ id }) => id === listing_id)
    if (known) expect([known, maySee(facts, viewer, known)]).toEqual([known, true])
  }
}

/** Checks the mails and pushes of the matches, which are all due. */
async function checkSent({ world, member, browsers }: VisibilityWorld, viewers: readonly Viewpoint[]) {
  const mailsTo = (viewer: number) =>
    world
      .mailTo(member(viewer))
      .filter(({ headers }) => headers.get('list-unsubscribe')?.includes('mail_matches'))
      .map(({ text }) => text)
  const pushesTo = (viewer: number) =>
    (browsers[viewer]?.shown ?? []).filter((shown) => pushed.parse(shown).category === 'match')
  const counts = viewers.map(({ viewer }) => [mailsTo(viewer).length, pushesTo(viewer).length] as const)
  await world.runJob(deliverDue)
  for (const [index, viewpoint] of viewers.entries()) {
    const { viewer, listings } = viewpoint
    const [mails = 0, pushes = 0] = counts[index] ?? []
    const titles = (sent: readonly unknown[]) => {
      const text = JSON.stringify(sent)
      return listings.flatMap(({ title }) => (text.includes(title) ? [title] : []))
    }
    const offers = listings.filter((listing) => isOffer(viewpoint, viewer, listing)).map(({ title }) => title)
    expect(titles(mailsTo(viewer).slice(mails))).toEqual(offers)
    const named = titles(pushesTo(viewer).slice(pushes))
    expect(named.length).toBe(Math.min(1, offers.length))
    expect(offers).toEqual(expect.arrayContaining(named))
  }
}

const pushed = z.object({ category: z.string() })
