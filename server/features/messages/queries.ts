import { sql } from 'kysely'
import { limits } from '#contract/constants.ts'
import type { Message } from '#contract/messages.ts'
import type { Deps } from '#server/deps.ts'
import {
  firstPhoto,
  type ImageRow,
  imageColumns,
  type PhotoRow,
  photoRows,
} from '#server/features/images/paths.ts'
import { dropImages } from '#server/features/images/store-image.ts'
import { isVisibleTo } from '#server/features/visibility/listings.ts'
import { areBlocked, areUnblocked, blockedBy, me } from '#server/features/visibility/members.ts'
import { statement } from '#server/platform/db/database.ts'
import { escapeLike } from '#server/platform/db/expressions.ts'
import type { Db, Tx } from '#server/tables.ts'

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

/** The columns of a `MessageRow`, without `is_read`. */
const columns = `m.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, shown.*,
  case when m.has_images then ${photoRows('i.message_id = m.id')} end as photos`

/** Joins the listing of message `m` if the reader may see it. */
const shownListing = (reader: string) => `left join lateral (
    select ${listingColumns} from listings l ${firstPhoto}
    where l.id = m.listing_id and ${isVisibleTo(reader)} limit 1
  ) shown on true`

/** Returns a sender's message by its client_id. */
export async function findSent(db: Db, senderId: number, clientId: string) {
  const { rows } = await sql<MessageRow & { sent_listing_id: number | null }>`
    select ${sql.raw(columns)}, m.listing_id as sent_listing_id, m.id <= coalesce(t.shown_read_id, 0) as is_read
    from messages m left join threads t on t.member_id = m.receiver_id and t.partner_id = m.sender_id
    ${sql.raw(shownListing('m.sender_id'))}
    where m.sender_id = ${senderId} and m.client_id = ${clientId}`.execute(db)
  return rows[0]
}

/** Joins the threads of members $1 and $2 for the read state of their messages. */
const withReads = `
  left join threads mine on mine.member_id = $1 and mine.partner_id = $2
  left join threads theirs on theirs.member_id = $2 and theirs.partner_id = $1`

/** Selects whether the receiver of message `m` has read it, as the member $1 may see it. */
const isRead = `m.id <= coalesce(case when m.sender_id = $1 then theirs.shown_read_id else mine.last_read_id end, 0) as is_read`

/** Holds for the messages between the members $1 and $2. */
const ofConversation = `least(m.sender_id, m.receiver_id) = least($1::bigint, $2::bigint)
  and greatest(m.sender_id, m.receiver_id) = greatest($1::bigint, $2::bigint)`

/** Prepares a statement for the default page and one for the longest, because the planner needs the limit as a literal. */
function pagesOf(text: (rows: number) => string) {
  type Values = [caller: number, userId: number, boundaryId: number]
  const defaultPage = statement<Values, MessageRow>(text(limits.messages))
  const longestPage = statement<Values, MessageRow>(text(limits.page.max))
  return async (db: Db, caller: number, userId: number, boundaryId: number, limit: number) => {
    const read = limit <= limits.messages ? defaultPage : longestPage
    return (await read(db, caller, userId, boundaryId)).slice(0, limit)
  }
}

/** Returns messages before an id, newest first. */
export const listMessagesBefore = pagesOf(
  (rows) => `select ${columns}, ${isRead} from messages m ${withReads} ${shownListing('$1::bigint')}
    where ${ofConversation} and m.id < $3 order by m.id desc limit ${rows}`,
)

/** Returns messages after an id, oldest first. */
export const listMessagesAfter = pagesOf(
  (rows) => `select ${columns}, ${isRead} from messages m ${withReads} ${shownListing('$1::bigint')}
    where ${ofConversation} and m.id > $3 order by m.id limit ${rows}`,
)

/** Returns whether the member has sent or received a message. */
export async function isOwnMessage(db: Db, caller: number, id: number): Promise<boolean> {
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('sender_id', '=', caller), eb('receiver_id', '=', caller)]))
    .executeTakeFirst()
  return message !== undefined
}

export async function hasThread(db: Db, caller: number, userId: number): Promise<boolean> {
  const thread = await db
    .selectFrom('threads')
    .select('partner_id')
    .where('member_id', '=', caller)
    .where('partner_id', '=', userId)
    .executeTakeFirst()
  return thread !== undefined
}

/** Returns the partners of a member's conversations before a message, latest first, without those whom the member has blocked. */
export function listPartners(db: Db, caller: number, before: number, limit: number) {
  return db
    .selectFrom([me(caller), 'threads'])
    .select(['partner_id', 'last_message_id'])
    .whereRef('member_id', '=', 'me.id')
    .where('partner_id', 'not in', sql.raw<number>(`(${blockedBy('me.id')})`))
    .where('last_message_id', '<', before)
    .orderBy('last_message_id', 'desc')
    .limit(limit)
    .execute()
}

export interface ThreadRow extends MessageRow {
  user_id: number
  unread_count: number
}

/** Holds for the messages of thread `t`. */
const ofThread = `least(m.sender_id, m.receiver_id) = least(t.member_id, t.partner_id)
    and greatest(m.sender_id, m.receiver_id) = greatest(t.member_id, t.partner_id)`

const threadRows = (joins: string, where: string) => `
  select t.partner_id as user_id, t.unread_count, ${columns},
    m.id <= coalesce(case when m.sender_id = t.member_id then theirs.shown_read_id else t.last_read_id end, 0) as is_read
  from threads t
  join messages m on m.id = t.last_message_id and ${ofThread}
  left join threads theirs on theirs.member_id = t.partner_id and theirs.partner_id = t.member_id
  ${shownListing('$1::bigint')}
  ${joins}
  where t.member_id = $1 and t.last_message_id < $2 and t.partner_id not in (${blockedBy('$1')}) ${where}
  order by t.last_message_id desc limit $3`

const threads = statement<[caller: number, before: number, limit: number], ThreadRow>(threadRows('', ''))

/** The preview of a message without text, as the client shows it. */
const photosText = `(
  select case count(*) when 1 then 'Photo' else count(*) || ' photos' end from images i where i.message_id = m.id
)`

const matchingThreads = statement<
  [caller: number, before: number, limit: number, pattern: string],
  ThreadRow
>(
  threadRows(
    'left join users u on u.id = t.partner_id and u.suspended_at is null',
    `and (u.username ilike $4 or m.content ilike $4 or m.has_images and m.content = '' and ${photosText} ilike $4)`,
  ),
)

/** Returns a member's conversations before a message, latest first, without those with blocked members. `words` must occur in the username or the preview of the last message. */
export function listThreads(
  db: Db,
  caller: number,
  { before, limit, words }: { before: number; limit: number; words: string | undefined },
): Promise<ThreadRow[]> {
  if (!words) return threads(db, caller, before, limit)
  return matchingThreads(db, caller, before, limit, `%${escapeLike(words)}%`)
}

const unread = statement<[caller: number], { count: number | null }>(
  `select sum(unread_count) as count from threads
   where member_id = $1 and unread_count > 0 and partner_id not in (${blockedBy('$1')})`,
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
    with unread as (
      select * from threads where member_id = ${caller} and partner_id = ${userId} for update
    ), block as (
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

/** Returns a member's unread thread with its newest received message. Undefined if it is read, or the partner is blocked, suspended or deleted. */
export async function findUnread(db: Db, userId: number, partnerId: number): Promise<UnreadRow | undefined> {
  const { rows } = await sql<UnreadRow>`
    select p.username, t.unread_count, newest.content, newest.photo_count, newest.listing_title
    from threads t
    join users p on p.id = t.partner_id and p.suspended_at is null
    cross join lateral (
      select m.content, case when m.has_images then (select count(*) from images i where i.message_id = m.id) else 0 end as photo_count,
        (select l.title from listings l where l.id = m.listing_id and ${sql.raw(isVisibleTo('t.member_id'))}) as listing_title
      from messages m where ${sql.raw(ofThread)} and m.sender_id = t.partner_id order by m.id desc limit 1
    ) newest
    where t.member_id = ${userId} and t.partner_id = ${partnerId} and t.unread_count > 0
      and ${sql.raw(areUnblocked('t.member_id', 't.partner_id'))}`.execute(db)
  return rows[0]
}

/** Deletes a leaving member's conversations with deleted members and their photos, because nobody can read them any more. */
export async function deleteConversationsWithFormer(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  userId: number,
): Promise<void> {
  // Serializes deletions, so that the second of two concurrent ones sees that the first member is gone.
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: members leave', 0))`.execute(tx)
  const isAbandoned = sql`
    t.member_id = ${userId} and not exists (select from users u where u.id = t.partner_id)
      and least(m.sender_id, m.receiver_id) = least(${userId}::bigint, t.partner_id)
      and greatest(m.sender_id, m.receiver_id) = greatest(${userId}::bigint, t.partner_id)`
  const { rows } = await sql<{ id: number }>`
    select i.id from threads t, messages m join images i on i.message_id = m.id where m.has_images and ${isAbandoned}`.execute(
    tx,
  )
  await dropImages(
    { jobs },
    tx,
    rows.map(({ id }) => id),
  )
  await sql`delete from messages m using threads t where ${isAbandoned}`.execute(tx)
}
