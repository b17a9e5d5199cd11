import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { categories, defaultDays, states, tradeDays, types } from '#contract/constants.ts'
import { areaOf } from '#server/features/locations/areas.ts'
import { postalCodeId } from '#server/features/locations/postal-codes.ts'
import { drawingOf } from '#server/features/matching/drawing.ts'
import type { Tables } from '#server/tables.ts'
import { type Conversation, conversations } from './conversations.ts'
import type { DemoListing } from './listings.ts'
import { type DemoMember, friendRequests, friends, members, town, visitor } from './members.ts'
import type { Picture } from './photo-album.ts'
import { seasons } from './seasons.ts'
import type { DemoTrade } from './trades.ts'
import { type WantList, wantLists } from './wants.ts'

const hour = 3_600_000
const day = 24 * hour

/** Returns the row of a member. Members registered a few days apart in the order of `index`, the first five months ago. */
export function memberRow(
  { portrait: _, ...member }: DemoMember,
  index: number,
  { now, ...row }: { now: number; password_hash: string },
): Insertable<Tables['users']> {
  const created_at = timestamp(now - 150 * day + index * (4 * day - 5 * hour))
  const postal_code_id = postalCodeId(member.zip_code)
  return { ...member, ...town, ...row, postal_code_id, created_at, email_confirmed_at: created_at }
}

export function friendshipRows(
  idOf: (username: string) => number,
  now: number,
): Insertable<Tables['friendships']>[] {
  const row = (from: string, to: string, status: 'accepted' | 'pending', age: number) => {
    const [requester_id, other] = [idOf(from), idOf(to)]
    const low_id = Math.min(requester_id, other)
    const high_id = Math.max(requester_id, other)
    return { low_id, high_id, requester_id, status, created_at: timestamp(now - age) }
  }
  const pairs = Object.entries(friends).flatMap(([username, others]) =>
    others.map((other) => [username, other] as const),
  )
  return [
    ...pairs.map(([from, to], index) => row(from, to, 'accepted', 48 * day - index * 12 * hour)),
    ...friendRequests.map(([from, to], index) => row(from, to, 'pending', 4 * day - index * 15 * hour)),
  ]
}

/** Returns the row of a listing. `depth` is its position in the market from 0 (an hour old) to 1 (five weeks old). */
export function listingRow(
  listing: DemoListing,
  depth: number,
  { now, ...row }: { now: number; owner_id: number },
): Insertable<Tables['listings']> {
  const created_at = timestamp(now - 1.2 * hour - 35 * day * depth ** 1.3)
  return {
    ...fieldsOf(listing),
    ...termOf(listing, created_at, now),
    ...readyColumns(listing, now),
    quantity_left: listing.amount?.[0] ?? null,
    ...row,
    postal_code_id: postalCodeId(members.find(({ username }) => username === listing.by)?.zip_code),
    created_at,
    updated_at: created_at,
  }
}

/** Returns the term of a demo listing. Only listings with an explicit end get a reminder, so that the demo sends few mails. */
function termOf({ in: category, ends }: DemoListing, created_at: string, now: number) {
  const days = defaultDays[category ?? 'uncategorized']
  const age = (now - Date.parse(created_at)) / day
  const expires_at = timestamp(now + (ends ?? days - (age % days)) * day)
  const isReminded = ends !== undefined && ends > 0
  return {
    days,
    expires_at,
    ended_at: ends !== undefined && ends < 0 ? expires_at : null,
    remind_at: isReminded ? timestamp(now) : null,
  }
}

/** Returns from when a demo listing is ready, and its end after that. */
function readyColumns({ in: category, readyIn }: DemoListing, now: number) {
  if (readyIn === undefined) return {}
  const ready_at = timestamp(now + readyIn * day)
  const expires_at = timestamp(now + (readyIn + defaultDays[category ?? 'uncategorized']) * day)
  return { ready_at, ready_from: ready_at.slice(0, 10), expires_at }
}

/** Returns the fields of a demo listing like its owner would post them. */
export function fieldsOf({
  title,
  text = '',
  for: terms,
  in: category,
  amount,
  friendsOnly,
  state,
}: DemoListing) {
  const [quantity, unit] = amount ?? []
  return {
    title,
    description: typeof text === 'string' ? text : text.join('\n\n'),
    price: typeof terms === 'number' ? terms : 0,
    type_id: typeof terms === 'number' ? types.sell : types[terms],
    category_id: category ? categories[category] : null,
    state_id: state === 'reserved' || state === 'gone' ? states[state] : states.available,
    is_active: state !== 'inactive',
    is_public: friendsOnly !== true,
    open_to_rings: false,
    quantity: quantity ?? null,
    unit: unit ?? null,
    ready_from: null,
  }
}

/** Returns each member's wants in order, dated between 40 and 10 days ago. */
const categoryIds = { ...categories, other: null }

export function wantRows(idOf: (username: string) => number, now: number): Insertable<Tables['wants']>[] {
  return Object.entries(wantLists).flatMap(([username, list], memberIndex) =>
    Object.entries(list).flatMap(([kind, titles]) =>
      titles.map((title) => {
        const written = timestamp(now - 40 * day + memberIndex * 30 * hour)
        return {
          user_id: idOf(username),
          title,
          category_id: categoryIds[kind as keyof WantList],
          created_at: written,
          updated_at: written,
        }
      }),
    ),
  )
}

/** Returns the rows of `seasons` in the area of the visitor. Weeks begin on Monday in UTC. */
export function cropWeekRows(now: number): Insertable<Tables['crop_weeks']>[] {
  const area = areaOf(postalCodeId(visitor.zip_code))?.id ?? 0
  const monday = now - ((new Date(now).getUTCDay() + 6) % 7) * day
  return seasons.flatMap(({ crop, in: kind, wanted, offered }) =>
    Array.from(wanted, (count, index) => ({
      area,
      week: timestamp(monday - (wanted.length - 1 - index) * 7 * day).slice(0, 10),
      crop,
      category_id: categoryIds[kind],
      wanted: Number(count),
      offered: Number(offered[index]),
    })).filter((row) => row.wanted > 0),
  )
}

/** The messages of all conversations, oldest first, because conversations are ordered by id. */
const messages = conversations
  .flatMap(({ partner, messages }) =>
    messages.map(([by, hoursAgo, content, ...photos]) => ({ partner, by, hoursAgo, content, photos })),
  )
  .sort((a, b) => b.hoursAgo - a.hoursAgo)

/** Returns the rows of all messages, oldest first. */
export function messageRows(
  idOf: (username: string) => number,
  now: number,
): Insertable<Tables['messages']>[] {
  return messages.map(({ partner, by, hoursAgo, content, photos }) => ({
    low_id: Math.min(idOf(partner), idOf(visitor.username)),
    high_id: Math.max(idOf(partner), idOf(visitor.username)),
    sender_id: idOf(by),
    receiver_id: idOf(by === visitor.username ? partner : visitor.username),
    content,
    has_images: photos.length > 0,
    client_id: randomUUID(),
    created_at: timestamp(now - hoursAgo * hour),
  }))
}

/** The pictures of each message, oldest first. */
export const messagePictures: readonly (readonly Picture[])[] = messages.map(({ content, photos }) =>
  photos.map((file) => ({ key: `${content}: ${file}`, file })),
)

/** Returns the pictures of a listing. */
export function listingPictures({ title, photo, morePhotos = [] }: DemoListing): Picture[] {
  return photo === undefined ? [] : [photo, ...morePhotos].map((file) => ({ key: `${title}: ${file}`, file }))
}

/** Returns both members' rows of each conversation. Unread demo messages cause no mail. */
export function threadRows(
  idOf: (username: string) => number,
  messages: readonly Selectable<Tables['messages']>[],
  now: number,
): Insertable<Tables['threads']>[] {
  const visitorId = idOf(visitor.username)
  return conversations.flatMap(({ partner, unread }: Conversation) => {
    const partner_id = idOf(partner)
    const ours = messages.filter((message) => [message.sender_id, message.receiver_id].includes(partner_id))
    const last = ours.at(-1)
    if (last === undefined) return []
    const unreadMessages = unread === 0 ? [] : ours.slice(-unread)
    const last_read_id = ours.at(-unread - 1)?.id ?? 0
    return [
      {
        member_id: visitorId,
        partner_id,
        last_message_id: last.id,
        unread_count: unread,
        last_read_id,
        shown_read_id: last_read_id,
        unread_since: unreadMessages[0]?.created_at ?? null,
        mailed_at: unreadMessages[0] ? timestamp(now) : null,
      },
      {
        member_id: partner_id,
        partner_id: visitorId,
        last_message_id: last.id,
        last_read_id: last.id,
        shown_read_id: last.id,
      },
    ]
  })
}

function timestamp(time: number): string {
  return new Date(time).toISOString()
}

export interface TradeRows {
  readonly trade: Insertable<Tables['trades']>
  readonly legs: readonly Omit<Insertable<Tables['trade_legs']>, 'trade_id'>[]
  readonly thanks: readonly Omit<Insertable<Tables['thanks']>, 'trade_id'>[]
}

/** Returns the rows of a trade; undefined if the market lacks one of its listings. */
export function tradeRows(
  { kind, state, by, listings, daysAgo, amount, note, pickupInHours, thanks = {} }: DemoTrade,
  listingOf: (title: string) => Selectable<Tables['listings']> | undefined,
  idOf: (username: string) => number,
  now: number,
): TradeRows | undefined {
  const traded = listings.map(listingOf).filter((listing) => listing !== undefined)
  const [first] = traded
  if (traded.length < listings.length || !first) return undefined
  const requester_id = idOf(by)
  const created_at = timestamp(now - daysAgo * day)
  const other = kind === 'ring' ? undefined : first.owner_id
  return {
    trade: {
      kind,
      state,
      requester_id,
      note: note ?? null,
      created_at,
      updated_at: created_at,
      ...deadlines({ kind, state, daysAgo }, now),
      ...(pickupInHours !== undefined &&
        other !== undefined &&
        pickupColumns(pickupInHours, other, requester_id, now)),
    },
    legs: traded.map((listing, place) => {
      const next = kind === 'single' ? requester_id : (traded[(place + 1) % traded.length]?.owner_id ?? 0)
      const quantity = listing.quantity === null ? null : place === 0 ? (amount ?? 1) : 1
      return { ...legRow(listing, place, next, requester_id, state), quantity, unit: listing.unit }
    }),
    thanks: Object.entries(thanks).map(([username, text]) => {
      const author_id = idOf(username)
      const receiver_id = author_id === requester_id ? first.owner_id : requester_id
      return {
        author_id,
        receiver_id,
        text,
        listing_title: first.title,
        created_at: timestamp(now - (daysAgo - 1) * day),
      }
    }),
  }
}

/** Returns when an open trade ends and when its members are reminded. */
function deadlines({ kind, state, daysAgo }: Pick<DemoTrade, 'kind' | 'state' | 'daysAgo'>, now: number) {
  if (state !== 'requested' && state !== 'accepted') return { expires_at: null, remind_at: null }
  const lapseDays =
    state === 'accepted' ? tradeDays.promise.lapse : tradeDays[kind === 'ring' ? 'ring' : 'request'].lapse
  return {
    expires_at: timestamp(now + (lapseDays - daysAgo) * day),
    remind_at: timestamp(now + (lapseDays - daysAgo - 1) * day),
  }
}

/** Returns the columns of an accepted pickup, which starts in some hours and takes one. */
function pickupColumns(startsInHours: number, proposer: number, accepter: number, now: number) {
  return {
    pickup_starts_at: timestamp(now + startsInHours * hour),
    pickup_ends_at: timestamp(now + (startsInHours + 1) * hour),
    pickup_proposed_by: proposer,
    pickup_accepted_by: [accepter],
    pickup_remind_at: timestamp(now + (startsInHours - 1) * hour),
  }
}

function legRow(
  { id, owner_id, title, type_id, price, category_id }: Selectable<Tables['listings']>,
  place: number,
  taker_id: number,
  requester_id: number,
  state: DemoTrade['state'],
) {
  return {
    place,
    listing_id: id,
    giver_id: owner_id,
    taker_id,
    title,
    type_id,
    price,
    drawing: drawingOf({ title, category_id }),
    is_requested: owner_id !== requester_id,
    accepted: owner_id === requester_id || state === 'accepted' || state === 'done',
    handed_over: state === 'done',
    status: legStatus[state],
  }
}

const legStatus = {
  requested: 'open',
  accepted: 'promised',
  done: 'closed',
  declined: 'closed',
  withdrawn: 'closed',
  lapsed: 'closed',
} as const
