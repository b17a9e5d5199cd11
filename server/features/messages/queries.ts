import { sql } from 'kysely'
import { limits } from '#contract/constants.ts'
import type { Message } from '#contract/messages.ts'
import {
  firstPhoto,
  type ImageRow,
  imageColumns,
  type PhotoRow,
  photoRows,
} from '#server/features/images/paths.ts'
import { isVisibleTo } from '#server/features/visibility/listings.ts'
import { areBlocked, areUnblocked, blockedBy } from '#server/features/visibility/members.ts'
import { isDeliveredTo } from '#server/features/visibility/messages.ts'
import { rowStatement, statement } from '#server/platform/db/database.ts'
import { escapeLike } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'

/** The listing of a message: nulls if there is none, or the reader may not see it. */
export interface ListingColumns extends ImageRow {
  listing_id: number | null
  listing_title: string | null
}

/** A message with its listing and its photos. */
export interface MessageRow extends Omit<Message, 'listing' | 'images'>, ListingColumns {
  /** Null without photos. */
  photos: PhotoRow[] | null
}

export const listingColumns = `l.id as listing_id, l.title as listing_title, ${imageColumns}`

/** The columns of a message that the others are made of. */
const messageColumns =
  'm.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, m.listing_id, m.has_images'

/** The columns of a `MessageRow`, without `is_read`. */
const columns = `m.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, shown.*,
  case when m.has_images then ${photoRows('i.message_id = m.id')} end as photos`

/** Joins the listing of message `m` if the reader may see it. */
const shownListing = (reader: string) => `left join lateral (
    select ${listingColumns} from listings l ${firstPhoto}
    where l.id = m.listing_id and ${isVisibleTo(reader)} limit 1
  ) shown on true`

// Messages and threads may be on other servers than the rest (decision 0065). So a statement reads its page of them in materialized common
// table expressions, and then joins the other tables. The reader is a parameter: a cluster refuses who may see for a column of the page.

/** Returns the lower and the higher member of a conversation, which its messages are stored under. */
export const pairOf = (one: number, other: number): [low: number, high: number] => [
  Math.min(one, other),
  Math.max(one, other),
]

interface Sent {
  readonly sender_id: number
  readonly receiver_id: number
  readonly client_id: string
}

const sent = rowStatement<
  [sender: number, receiver: number, client_id: string, low: number, high: number],
  MessageRow & { sent_listing_id: number | null }
>(`
  with m as materialized (
    select ${messageColumns} from messages m where low_id = $4 and high_id = $5 and sender_id = $1 and client_id = $3
  ), theirs as materialized (
    select shown_read_id from threads where member_id = $2 and partner_id = $1
  )
  select ${columns}, m.listing_id as sent_listing_id, m.id <= coalesce(theirs.shown_read_id, 0) as is_read
  from m left join theirs on true ${shownListing('$1::bigint')}`)

/** Returns a sender's message to a receiver by its client_id. */
export function findSent(db: Db, { sender_id, receiver_id, client_id }: Sent) {
  return sent(db, sender_id, receiver_id, client_id, ...pairOf(sender_id, receiver_id))
}

/** Returns whether a sender has used a client_id, also for another receiver. */
export async function hasSent(db: Db, { sender_id, client_id }: Omit<Sent, 'receiver_id'>): Promise<boolean> {
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('sender_id', '=', sender_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return message !== undefined
}

/** Reads the threads of the members $1 and $2 for the read state of their messages. */
const reads = `mine as materialized (select last_read_id from threads where member_id = $1 and partner_id = $2),
  theirs as materialized (select shown_read_id from threads where member_id = $2 and partner_id = $1)`

/** Selects whether the receiver of message `m` has read it, as the member $1 may see it. */
const isRead = `m.id <= coalesce(
    case when m.sender_id = $1 then (select shown_read_id from theirs) else (select last_read_id from mine) end, 0
  ) as is_read`

/** Prepares a statement for the default page and one for the longest, because the planner needs the limit as a literal. */
function pagesOf({ boundary, isDescending }: { boundary: string; isDescending: boolean }) {
  type Values = [caller: number, userId: number, boundaryId: number, low: number, high: number]
  const text = (rows: number) => `
  with m as materialized (
    select ${messageColumns} from messages m where low_id = $4 and high_id = $5 and ${boundary} and ${isDeliveredTo('$1')}
    order by id ${isDescending ? 'desc' : 'asc'} limit ${rows}
  ), ${reads}
  select ${columns}, ${isRead} from m ${shownListing('$1::bigint')}`
  const defaultPage = statement<Values, MessageRow>(text(limits.messages))
  const longestPage = statement<Values, MessageRow>(text(limits.page.max))
  return async (db: Db, caller: number, userId: number, boundaryId: number, limit: number) => {
    const read = limit <= limits.messages ? defaultPage : longestPage
    const rows = await read(db, caller, userId, boundaryId, ...pairOf(caller, userId))
    return rows.sort((a, b) => (isDescending ? b.id - a.id : a.id - b.id)).slice(0, limit)
  }
}

/** Returns messages before an id, newest first. */
export const listMessagesBefore = pagesOf({ boundary: 'id < $3', isDescending: true })

/** Returns messages after an id, oldest first. */
export const listMessagesAfter = pagesOf({ boundary: 'id > $3', isDescending: false })

/** Returns whether the member has sent a message, or received it and it is not withdrawn. Its place is known if another member is known to have sent it. */
export async function isOwnMessage(
  db: Db,
  caller: number,
  id: number,
  otherSender: number | null = null,
): Promise<boolean> {
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .where(({ eb, or }) =>
      or([
        eb('sender_id', '=', caller),
        eb.and([eb('receiver_id', '=', caller), eb('is_withdrawn', '=', false)]),
      ]),
    )
    .$if(otherSender !== null, (query) => query.where('low_id', '=', Math.min(caller, otherSender ?? caller)))
    .executeTakeFirst()
  return message !== undefined
}

/** Returns a row if a member has a conversation with another. */
export const findThread = rowStatement<[member: number, partner: number], { partner_id: number }>(
  'select partner_id from threads where member_id = $1 and partner_id = $2 and last_message_id is not null',
)

/** Reads the ids of the members whom member $1 has blocked, because a page of threads leaves them out. */
const blocked = `blocked as materialized (${blockedBy('$1')})`
const isUnblocked = 'partner_id not in (select blocked_id from blocked)'

const partners = statement<
  [caller: number, before: number, limit: number],
  { partner_id: number; last_message_id: number }
>(`with ${blocked}
  select partner_id, last_message_id from threads where member_id = $1 and last_message_id < $2 and ${isUnblocked}
  order by last_message_id desc limit $3`)

/** Returns the partners of a member's conversations before a message, latest first, without those whom the member has blocked. */
export function listPartners(db: Db, caller: number, before: number, limit: number) {
  return partners(db, caller, before, limit)
}

export interface ThreadRow extends MessageRow {
  user_id: number
  unread_count: number
}

/** Reads threads of member $1 with their last messages and the read states of their partners, and joins the rest. */
const threadRows = ({ page = '', joins = '', end = '' }) => `
  with ${blocked}, t as materialized (
    select member_id, partner_id, last_message_id, unread_count, last_read_id from threads
    where member_id = $1 and last_message_id < $2 and ${isUnblocked} ${page}
  ), m as materialized (
    select t.partner_id, t.unread_count, t.last_read_id, ${messageColumns}
    from t join messages m on m.low_id = least(t.member_id, t.partner_id) and m.id = t.last_message_id
  ), theirs as materialized (
    select theirs.member_id, theirs.shown_read_id
    from t join threads theirs on theirs.member_id = t.partner_id and theirs.partner_id = t.member_id
  )
  select m.partner_id as user_id, m.unread_count, ${columns},
    m.id <= coalesce(case when m.sender_id = $1 then theirs.shown_read_id else m.last_read_id end, 0) as is_read
  from m left join theirs on theirs.member_id = m.partner_id ${shownListing('$1::bigint')} ${joins} ${end}`

const threads = statement<[caller: number, before: number, limit: number], ThreadRow>(
  threadRows({ page: 'order by last_message_id desc limit $3' }),
)

const matchingThreads = statement<
  [caller: number, before: number, limit: number, pattern: string, photoCounts: number[]],
  ThreadRow
>(
  threadRows({
    joins: 'left join users u on u.id = m.partner_id and u.suspended_at is null',
    end: `where u.username ilike $4 or m.content ilike $4
    or m.has_images and m.content = '' and (select count(*) from images i where i.message_id = m.id) = any ($5::int[])
  order by m.id desc limit $3`,
  }),
)

interface ThreadPage {
  readonly before: number
  readonly limit: number
}

/** Returns a member's conversations before a message, latest first, without those with blocked members. */
export async function listThreads(
  db: Db,
  caller: number,
  { before, limit }: ThreadPage,
): Promise<ThreadRow[]> {
  return latestFirst(await threads(db, caller, before, limit))
}

/** Returns conversations like `listThreads`: those with the words in the username or the last message, or whose last message has only so many photos. */
export async function searchThreads(
  db: Db,
  caller: number,
  { before, limit, words, photoCounts }: ThreadPage & { words: string; photoCounts: number[] },
): Promise<ThreadRow[]> {
  return latestFirst(await matchingThreads(db, caller, before, limit, `%${escapeLike(words)}%`, photoCounts))
}

function latestFirst(rows: ThreadRow[]): ThreadRow[] {
  return rows.sort((a, b) => b.id - a.id)
}

const unread = statement<[caller: number], { count: number | null }>(
  `with ${blocked}
  select sum(unread_count) as count from threads where member_id = $1 and unread_count > 0 and ${isUnblocked}`,
)

export async function countUnread(db: Db, caller: number): Promise<number> {
  const [sum] = await unread(db, caller)
  return sum?.count ?? 0
}

interface ReadRow {
  updated: number
  last_read_id: number
  /** True if the partner sees the read receipt. */
  is_shown: boolean
}

/** Marks a thread as read. Returns undefined if nothing was unread. A block hides the read receipt from the partner. */
export async function updateRead(tx: Db, caller: number, userId: number): Promise<ReadRow | undefined> {
  const { rows } = await sql<ReadRow>`
    with unread as materialized (
      select member_id, partner_id, unread_count, last_message_id from threads
      where member_id = ${caller} and partner_id = ${userId} for update
    ), block as materialized (
      select ${sql.raw(areBlocked('unread.member_id', 'unread.partner_id'))} as is_either_blocked from unread
    )
    update threads t
    set unread_count = 0, last_read_id = unread.last_message_id, unread_since = null, mailed_at = null,
      push_due_at = null, pushed_at = null,
      shown_read_id = case when block.is_either_blocked then t.shown_read_id else unread.last_message_id end
    from unread, block
    where t.member_id = ${caller} and t.partner_id = ${userId} and unread.unread_count > 0
    returning unread.unread_count as updated, t.last_read_id, not block.is_either_blocked as is_shown`.execute(
    tx,
  )
  return rows[0]
}

/** The maximum number of members who are told about listings that they asked about. */
const maxAskers = 500

export interface OwnedListing {
  readonly listing_id: number
  readonly owner_id: number
}

/** Returns the members who have written to the owners of listings about them, those who wrote last first. */
export async function listAskers(
  db: Db,
  listings: readonly OwnedListing[],
): Promise<{ listing_id: number; sender_id: number }[]> {
  const owners = new Map(listings.map(({ listing_id, owner_id }) => [listing_id, owner_id]))
  const rows = await db
    .selectFrom('messages')
    .select(['listing_id', 'receiver_id', 'sender_id', ({ fn }) => fn.max('id').as('last_id')])
    .where('listing_id', '=', ({ fn, val }) => fn.any(val([...owners.keys()])))
    .where('receiver_id', '=', ({ fn, val }) => fn.any(val([...owners.values()])))
    .groupBy(['listing_id', 'receiver_id', 'sender_id'])
    .orderBy('last_id', 'desc')
    .limit(maxAskers)
    .execute()
  return rows.flatMap(({ listing_id, receiver_id, sender_id }) =>
    listing_id !== null && owners.get(listing_id) === receiver_id ? { listing_id, sender_id } : [],
  )
}

export interface UnreadRow {
  username: string
  unread_count: number
  content: string
  photo_count: number
  /** The title of the listing that the newest message is about, if the member may see it. */
  listing_title: string | null
}

const unreadThread = rowStatement<[member: number, partner: number, low: number, high: number], UnreadRow>(`
  with t as materialized (
    select partner_id, unread_count from threads where member_id = $1 and partner_id = $2 and unread_count > 0
  ), m as materialized (
    select id, content, has_images, listing_id from messages
    where low_id = $3 and high_id = $4 and sender_id = $2 order by id desc limit 1
  )
  select p.username, t.unread_count, m.content,
    case when m.has_images then (select count(*) from images i where i.message_id = m.id) else 0 end as photo_count,
    (select l.title from listings l where l.id = m.listing_id and ${isVisibleTo('$1::bigint')}) as listing_title
  from t join users p on p.id = t.partner_id and p.suspended_at is null cross join m
  where ${areUnblocked('$1::bigint', '$2::bigint')}`)

/** Returns a member's unread thread with its newest received message. Undefined if it is read, or the partner is blocked, suspended or deleted. */
export function findUnread(db: Db, userId: number, partnerId: number): Promise<UnreadRow | undefined> {
  return unreadThread(db, userId, partnerId, ...pairOf(userId, partnerId))
}
