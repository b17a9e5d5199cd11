import { sql, type Transaction } from 'kysely'
import { limits, notificationTimes } from '#contract/constants.ts'
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
import { visibleTo } from '#server/features/listings/visibility.ts'
import { type Db, rowStatement, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

/** A message to store. */
export interface Draft {
  readonly sender_id: number
  readonly receiver_id: number
  readonly content: string
  readonly client_id: string
  readonly listing_id: number | null
  /** The photos of the message in their order. */
  readonly image_ids: readonly number[]
  /** The sender's session. */
  readonly session: Buffer
}

/** `allowed`, or the reason why a draft is refused. */
export type Verdict = 'allowed' | 'no session' | 'no receiver' | 'blocked' | 'no listing' | 'no photo'

/** Nulls if there is no listing, or the reader may not see it. */
interface ListingColumns extends ImageRow {
  listing_id: number | null
  listing_title: string | null
}

/** A message with its listing and its photos. */
export interface MessageRow extends Omit<Message, 'listing' | 'images'>, ListingColumns {
  /** Null without photos. */
  photos: PhotoRow[] | null
}

interface InsertedRow extends ListingColumns {
  verdict: Verdict
  /** The id of the stored row, or null if the draft may not be sent or its sender has used its client_id before. */
  id: number | null
  content: string | null
  created_at: string | null
  photos: PhotoRow[] | null
  /** True if a message of this statement has to be pushed. */
  is_pushed: boolean
}

export const listingColumns = `l.id as listing_id, l.title as listing_title, ${imageColumns}`

/**
 * Locks the sessions until the commit, so that nothing is stored for a session that has ended. Locks the conversations in a fixed
 * order to prevent deadlocks, and before the messages get ids, so that later messages of a conversation have higher ids. Stores only
 * the first of several drafts with the same client_id. Locks the photos, which must be the sender's and unused; of several drafts with
 * the same photo the first gets it.
 */
const insertDrafts = statement<
  [number[], number[], string[], string[], Buffer[], (number | null)[], string[]],
  InsertedRow
>(`
  with drafts as materialized (
    select *, string_to_array(images, ',')::bigint[] as image_ids
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::uuid[], $5::bytea[], $6::bigint[], $7::text[])
      with ordinality as d (sender_id, receiver_id, content, client_id, session, listing_id, images, position)
  ), valid_sessions as materialized (
    select token_hash from sessions where token_hash = any ($5::bytea[]) and expires_at > now()
    order by token_hash for key share
  ), unused_photos as materialized (
    select id, owner_id from images
    where id = any (array(select unnest(image_ids) from drafts)) and purpose = 'photo' and listing_id is null and message_id is null
    order by id for update
  ), wanted_photos as materialized (
    select d.position, w.id, w.place - 1 as place,
      u.id is not null and row_number() over (partition by w.id, u.id order by d.position) = 1 as is_free
    from drafts d cross join lateral unnest(d.image_ids) with ordinality w (id, place)
    left join unused_photos u on u.id = w.id and u.owner_id = d.sender_id
  ), checked as materialized (
    select d.*, case
      when d.session not in (select token_hash from valid_sessions) then 'no session'
      when r.id is null then 'no receiver'
      when exists (select from blocks b where b.blocker_id = d.receiver_id and b.blocked_id = d.sender_id)
        or exists (select from blocks b where b.blocker_id = d.sender_id and b.blocked_id = d.receiver_id) then 'blocked'
      when d.listing_id is not null and not exists (
        select from listings l where l.id = d.listing_id and ${visibleTo('d.sender_id')} and ${visibleTo('d.receiver_id')}
      ) then 'no listing'
      when cardinality(d.image_ids) > 0
        and exists (select from wanted_photos w where w.position = d.position and not w.is_free) then 'no photo'
      else 'allowed' end as verdict
    from drafts d left join users r on r.id = d.receiver_id and r.suspended_at is null
  ), sent as materialized (
    select *, verdict = 'allowed'
      and row_number() over (partition by sender_id, client_id, verdict order by position) = 1 as is_first
    from checked
  ), locked as materialized (
    select pg_advisory_xact_lock(conversation) from (
      select distinct hashint8extended(least(sender_id, receiver_id), greatest(sender_id, receiver_id)) as conversation
      from sent where is_first order by conversation
    ) conversations
  ), stored as (
    insert into messages (sender_id, receiver_id, content, client_id, listing_id, has_images)
    select sender_id, receiver_id, content, client_id, listing_id, cardinality(image_ids) > 0 from sent
    where is_first and (select count(*) from locked) > 0
    order by position
    on conflict (sender_id, client_id) do nothing
    returning id, sender_id, receiver_id, content, client_id, created_at
  ), attached_photos as (
    update images i set message_id = stored.id, position = w.place
    from wanted_photos w join sent on sent.position = w.position and sent.is_first
    join stored on stored.sender_id = sent.sender_id and stored.client_id = sent.client_id
    where i.id = w.id and i.id = any (array(select id from wanted_photos))
  ), updated_threads as (
    insert into threads (member_id, partner_id, last_message_id, unread_count, unread_since, push_due_at)
    select member_id, partner_id, max(id), sum(unread), case when sum(unread) > 0 then now() end,
      case when sum(unread) > 0 and exists (select from push_subscriptions p where p.user_id = member_id)
        then now() + make_interval(secs => ${notificationTimes.messagePushDelaySeconds}) end
    from (
      select sender_id as member_id, receiver_id as partner_id, id, 0 as unread from stored
      union all
      select receiver_id, sender_id, id, 1 from stored
    ) sides
    group by member_id, partner_id
    order by member_id, partner_id
    on conflict (member_id, partner_id) do update set
      last_message_id = excluded.last_message_id,
      unread_count = threads.unread_count + excluded.unread_count,
      unread_since = coalesce(threads.unread_since, excluded.unread_since),
      push_due_at = coalesce(threads.push_due_at, case when excluded.push_due_at is not null then
        greatest(excluded.push_due_at, threads.pushed_at + make_interval(mins => ${notificationTimes.pauseMinutes.push})) end)
    returning push_due_at
  )
  select sent.verdict, stored.id, stored.content, stored.created_at,
    exists (select from updated_threads where push_due_at is not null) as is_pushed, ${listingColumns},
    case when cardinality(sent.image_ids) > 0 then ${photoRows('w.position = sent.position', 'wanted_photos w join images i on i.id = w.id', 'w.place')} end as photos
  from sent left join stored
    on sent.is_first and stored.sender_id = sent.sender_id and stored.client_id = sent.client_id
  left join listings l on l.id = sent.listing_id ${firstPhoto}
  order by sent.position`)

/** Stores messages and updates both sides' threads, in one transaction. Returns a row for each draft, in their order. */
export function insertMessages(db: Db<Tables>, drafts: readonly Draft[]): Promise<InsertedRow[]> {
  return insertDrafts(
    db,
    drafts.map(({ sender_id }) => sender_id),
    drafts.map(({ receiver_id }) => receiver_id),
    drafts.map(({ content }) => content),
    drafts.map(({ client_id }) => client_id),
    drafts.map(({ session }) => session),
    drafts.map(({ listing_id }) => listing_id),
    drafts.map(({ image_ids }) => image_ids.join(',')),
  )
}

const columns = `m.id, m.sender_id, m.receiver_id, m.content, m.created_at, m.client_id, m.trade_id, shown.*,
  case when m.has_images then ${photoRows('i.message_id = m.id')} end as photos`

/** The listing of message `m`, if the member $1 may see it. */
const shownListing = `left join lateral (
    select ${listingColumns} from listings l ${firstPhoto}
    where l.id = m.listing_id and ${visibleTo('$1::bigint')} limit 1
  ) shown on true`

/** Returns a sender's message by its client_id. */
export const findSent = rowStatement<
  [senderId: number, clientId: string],
  MessageRow & { sent_listing_id: number | null }
>(
  `select ${columns}, m.listing_id as sent_listing_id, m.id <= coalesce(t.shown_read_id, 0) as is_read
   from messages m left join threads t on t.member_id = m.receiver_id and t.partner_id = m.sender_id ${shownListing}
   where m.sender_id = $1 and m.client_id = $2`,
)

/** Joins the threads of both sides with their last read messages. */
const withReads = `
  left join threads mine on mine.member_id = $1 and mine.partner_id = $2
  left join threads theirs on theirs.member_id = $2 and theirs.partner_id = $1`

const isRead = `m.id <= coalesce(case when m.sender_id = $1 then theirs.shown_read_id else mine.last_read_id end, 0) as is_read`

const ofConversation = `least(m.sender_id, m.receiver_id) = least($1::bigint, $2::bigint)
  and greatest(m.sender_id, m.receiver_id) = greatest($1::bigint, $2::bigint)`

/** Prepares a statement with the default limit and one with the maximum, as literals for the planner. */
function pages(text: (rows: number) => string) {
  type Values = [caller: number, userId: number, edge: number]
  const defaultPage = statement<Values, MessageRow>(text(limits.messages))
  const longestPage = statement<Values, MessageRow>(text(limits.page.max))
  return async (db: Db<Tables>, caller: number, userId: number, edge: number, limit: number) => {
    const read = limit <= limits.messages ? defaultPage : longestPage
    return (await read(db, caller, userId, edge)).slice(0, limit)
  }
}

/** Returns messages before an id, newest first. */
export const listMessagesBefore = pages(
  (rows) => `select ${columns}, ${isRead} from messages m ${withReads} ${shownListing}
    where ${ofConversation} and m.id < $3 order by m.id desc limit ${rows}`,
)

/** Returns messages after an id, oldest first. */
export const listMessagesAfter = pages(
  (rows) => `select ${columns}, ${isRead} from messages m ${withReads} ${shownListing}
    where ${ofConversation} and m.id > $3 order by m.id limit ${rows}`,
)

/** Returns whether the member has sent or received a message. */
export async function isOwnMessage(db: Db<Tables>, caller: number, id: number): Promise<boolean> {
  const message = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('sender_id', '=', caller), eb('receiver_id', '=', caller)]))
    .executeTakeFirst()
  return message !== undefined
}

export async function hasThread(db: Db<Tables>, caller: number, userId: number): Promise<boolean> {
  const thread = await db
    .selectFrom('threads')
    .select('partner_id')
    .where('member_id', '=', caller)
    .where('partner_id', '=', userId)
    .executeTakeFirst()
  return thread !== undefined
}

/** Returns the partners of a member's conversations before a message, latest first. */
export function listPartners(db: Db<Tables>, caller: number, before: number, limit: number) {
  return db
    .selectFrom('threads')
    .select(['partner_id', 'last_message_id'])
    .where('member_id', '=', caller)
    .where('last_message_id', '<', before)
    .orderBy('last_message_id', 'desc')
    .limit(limit)
    .execute()
}

export interface ThreadRow extends MessageRow {
  user_id: number
  unread_count: number
}

const threadRows = (joins: string, where: string) => `
  select t.partner_id as user_id, t.unread_count, ${columns},
    m.id <= coalesce(case when m.sender_id = t.member_id then theirs.shown_read_id else t.last_read_id end, 0) as is_read
  from threads t
  join messages m on m.id = t.last_message_id
  left join threads theirs on theirs.member_id = t.partner_id and theirs.partner_id = t.member_id
  ${shownListing}
  ${joins}
  where t.member_id = $1 and t.last_message_id < $2 ${where}
  order by t.last_message_id desc limit $3`

const threads = statement<[caller: number, before: number, limit: number], ThreadRow>(threadRows('', ''))

const threadsFound = statement<[caller: number, before: number, limit: number, pattern: string], ThreadRow>(
  threadRows(
    'left join users u on u.id = t.partner_id and u.suspended_at is null',
    'and (u.username ilike $4 or m.content ilike $4)',
  ),
)

/** Returns a member's conversations before a message, latest first. `words` must occur in the username or the last message. */
export function listThreads(
  db: Db<Tables>,
  caller: number,
  { before, limit, words }: { before: number; limit: number; words: string | undefined },
): Promise<ThreadRow[]> {
  if (!words) return threads(db, caller, before, limit)
  return threadsFound(db, caller, before, limit, `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

const unread = statement<[caller: number], { unread: number }>(
  'select coalesce(sum(unread_count), 0) as unread from threads where member_id = $1 and unread_count > 0',
)

export async function countUnread(db: Db<Tables>, caller: number): Promise<number> {
  const [row] = await unread(db, caller)
  return row?.unread ?? 0
}

interface ReadRow {
  updated: number
  last_read_id: number
  /** True if the partner sees the read receipt. */
  is_shown: boolean
}

/** Marks a thread as read. Returns undefined if nothing was unread. A block hides the read receipt from the partner. */
export const updateRead = rowStatement<[caller: number, userId: number], ReadRow>(
  `with unread as (
     select unread_count, last_message_id from threads where member_id = $1 and partner_id = $2 for update
   ), block as (
     select exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = $2)
       or exists (select from blocks b where b.blocker_id = $2 and b.blocked_id = $1) as is_blocked
   )
   update threads t
   set unread_count = 0, last_read_id = unread.last_message_id, unread_since = null, mailed_at = null,
     push_due_at = null, pushed_at = null,
     shown_read_id = case when block.is_blocked then t.shown_read_id else unread.last_message_id end
   from unread, block
   where t.member_id = $1 and t.partner_id = $2 and unread.unread_count > 0
   returning unread.unread_count as updated, t.last_read_id, not block.is_blocked as is_shown`,
)

/** Returns threads with messages unread for some minutes and no mail about them, and marks them as mailed. */
export const takeUnmailed = statement<
  [minutes: number, limit: number],
  { member_id: number; partner_id: number; mail_unread: boolean }
>(
  `with due as (
     select member_id, partner_id from threads
     where mailed_at is null and unread_since <= now() - make_interval(mins => $1)
     order by unread_since limit $2
     for update skip locked
   )
   update threads t set mailed_at = now()
   from due join users u on u.id = due.member_id
   where t.member_id = due.member_id and t.partner_id = due.partner_id
   returning t.member_id, t.partner_id, u.mail_unread`,
)

export interface UnreadRow {
  username: string
  unread_count: number
  content: string
  photo_count: number
}

/** Counts the photos of message `m`. */
const photoCount = `case when m.has_images then (select count(*) from images i where i.message_id = m.id) else 0 end as photo_count`

/** Returns the unread thread for a mail, or undefined if it is read or the member wants no mail. */
export const findUnread = rowStatement<[userId: number, partnerId: number], UnreadRow>(
  `select p.username, t.unread_count, newest.content, newest.photo_count
   from threads t
   join users me on me.id = t.member_id and me.mail_unread and me.suspended_at is null
   join users p on p.id = t.partner_id and p.suspended_at is null
   cross join lateral (
     select m.content, ${photoCount} from messages m where ${ofConversation} and m.sender_id = $2 order by m.id desc limit 1
   ) newest
   where t.member_id = $1 and t.partner_id = $2 and t.unread_count > 0
     and not exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = $2)`,
)

/** Returns threads with a due push and marks them as pushed. */
export const takePushDue = statement<[limit: number], { member_id: number; partner_id: number }>(
  `with due as (
     select member_id, partner_id from threads where push_due_at <= now()
     order by push_due_at limit $1
     for update skip locked
   )
   update threads t set push_due_at = null, pushed_at = now()
   from due where t.member_id = due.member_id and t.partner_id = due.partner_id
   returning t.member_id, t.partner_id`,
)

export async function updatePushDue(
  db: Db<Tables>,
  userId: number,
  partnerId: number,
  moment: string,
): Promise<void> {
  await db
    .updateTable('threads')
    .set({ push_due_at: moment })
    .where('member_id', '=', userId)
    .where('partner_id', '=', partnerId)
    .where('unread_count', '>', 0)
    .execute()
}

export interface PushedRow extends UnreadRow {
  time_zone: string | null
}

/** Returns the thread's unread message for a push. Undefined if it is read, or if a member is blocked, suspended or gone. */
export const findPushed = rowStatement<[userId: number, partnerId: number], PushedRow>(
  `select p.username, t.unread_count, newest.content, newest.photo_count, me.time_zone
   from threads t
   join users me on me.id = t.member_id and me.suspended_at is null
   join users p on p.id = t.partner_id and p.suspended_at is null
   cross join lateral (
     select m.content, ${photoCount} from messages m where ${ofConversation} and m.sender_id = $2 order by m.id desc limit 1
   ) newest
   where t.member_id = $1 and t.partner_id = $2 and t.unread_count > 0
     and not exists (select from blocks b where b.blocker_id = $1 and b.blocked_id = $2)
     and not exists (select from blocks b where b.blocker_id = $2 and b.blocked_id = $1)`,
)

/** Deletes a leaving member's conversations with deleted members and their photos, because nobody can read them any more. */
export async function deleteConversationsWithFormer(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
): Promise<void> {
  // Serializes deletions, so that the second of two concurrent ones sees that the first member is gone.
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: members leave', 0))`.execute(tx)
  const isLeft = sql`
    t.member_id = ${userId} and not exists (select from users u where u.id = t.partner_id)
      and least(m.sender_id, m.receiver_id) = least(${userId}::bigint, t.partner_id)
      and greatest(m.sender_id, m.receiver_id) = greatest(${userId}::bigint, t.partner_id)`
  const { rows } = await sql<{ id: number }>`
    select i.id from threads t, messages m join images i on i.message_id = m.id where m.has_images and ${isLeft}`.execute(
    tx,
  )
  await dropImages(
    { jobs },
    tx,
    rows.map(({ id }) => id),
  )
  await sql`delete from messages m using threads t where ${isLeft}`.execute(tx)
}
