import { sql } from 'kysely'
import { states } from '#contract/constants.ts'
import type { Notification, TradeNotificationKind } from '#contract/notifications.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { isLegWithheld, isVisibleTo } from '#server/features/visibility/listings.ts'
import { blockedBy } from '#server/features/visibility/members.ts'
import { deleteInBatches, statement } from '#server/platform/db/database.ts'
import { anyOf, isoTimestamp } from '#server/platform/db/expressions.ts'
import type { Db, Tables } from '#server/tables.ts'

type Kind = Tables['notifications']['kind']

/** Selects notification `n` as a `Notification`. */
const columns = sql.raw(`n.id, n.kind, n.created_at, n.read_at, ${briefMember('o')} as user,
  case when n.want_id is not null and n.listing_id is not null then json_build_object(
    'want_id', n.want_id, 'want_title', coalesce(w.title, ''), 'listing_id', n.listing_id,
    'listing_title', coalesce(l.title, ''), 'reason', coalesce(m.reason, ''), 'more', n.more
  ) end as match,
  case when n.kind = 'listing_ending' and l.id is not null then json_build_object(
    'id', l.id, 'title', l.title, 'expires_at', ${isoTimestamp('l.expires_at')}
  ) end as listing,
  case when t.id is not null and leg.listing_id is not null then json_build_object(
    'id', t.id, 'kind', t.kind, 'state', t.state, 'listing_id', leg.listing_id, 'listing_title', case when not ${isLegWithheld('leg', 'n.user_id')} then leg.title end,
    'pickup_starts_at', ${isoTimestamp('t.pickup_starts_at')}
  ) end as trade`)

/** Lateral joins, because PostgreSQL plans plain ones for many rows as joins with whole tables. */
const joins = sql`join lateral (select * from users where id = n.from_id limit 1) o on true
  left join lateral (
    select * from matches where want_id = n.want_id and listing_id = n.listing_id and user_id = n.user_id limit 1
  ) m on true
  left join lateral (select * from wants where id = n.want_id limit 1) w on true
  left join lateral (select * from listings where id = n.listing_id limit 1) l on true
  left join lateral (select * from trades where id = n.trade_id limit 1) t on true
  left join lateral (
    select * from trade_legs where trade_id = n.trade_id
    order by (case when n.kind in ('trade_next', 'trade_thanked') then giver_id = n.user_id
      when n.kind = 'trade_in_line' then giver_id = n.from_id else taker_id = n.user_id end) desc, place limit 1
  ) leg on true`

/** Holds for a notification about the end of a listing until the owner relists the listing or marks it as gone. */
const isStillEnding = `n.kind = 'listing_ending' and l.remind_at is null and l.state_id <> ${states.gone}`

/** Hides notifications from suspended members and those whom the member has blocked, about relisted or gone listings, ended matches, and listings that a member may not see. */
const shownTo = (member: string) =>
  `o.suspended_at is null and n.from_id not in (${blockedBy(member)})
    and (n.listing_id is null or ${isStillEnding} or m.fits and ${isVisibleTo(member)})`
const isShownToMe = sql.raw(shownTo('me.id'))

/** The subject of a notification: its member, the member who caused it, and its kind. */
export interface About {
  readonly user_id: number
  readonly from_id: number
  readonly kind: 'friend_request' | 'friend_accepted'
}

export async function insertNotification(tx: Db, about: About): Promise<Notification> {
  const { rows } = await sql<Notification>`
    with n as (
      insert into notifications (user_id, from_id, kind)
      values (${about.user_id}, ${about.from_id}, ${about.kind}) returning *
    )
    select ${columns} from n ${joins}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('A notification was not stored')
  return row
}

/** The match of a notification; `more` counts the others that were found with it. */
export interface AboutMatch {
  readonly user_id: number
  readonly from_id: number
  readonly kind: 'match' | 'swap'
  readonly want_id: number
  readonly listing_id: number
  readonly more: number
}

/** A step of a trade. If it is about no other member, `from_id` is the reader. */
export interface AboutTrade {
  readonly user_id: number
  readonly from_id: number
  readonly kind: TradeNotificationKind
  readonly trade_id: number
}

type ReceivedRow = Notification & { user_id: number }

/** Stores a notification of rings for each member who has none, or has read the last more than a day ago. */
export async function insertRingNotifications(tx: Db, members: readonly number[]) {
  const { rows } = await sql<ReceivedRow>`
    with n as (
      insert into notifications (user_id, from_id, kind)
      select id, id, 'ring' from users where id = any (${members}::bigint[]) order by id
      on conflict (from_id, user_id, kind, coalesce(listing_id, trade_id, 0)) do update
      set id = default, created_at = now(), read_at = null
      where notifications.read_at < now() - interval '1 day'
      returning *
    )
    select ${columns}, n.user_id from n ${joins}`.execute(tx)
  return rows
}

/** The id of a notification, and the member who has it. */
export interface NotificationKey {
  readonly user_id: number
  readonly id: number
}

/** Stores notifications of steps of trades. Each replaces an older one. Deleted members get none. */
export async function insertTradeNotifications(tx: Db, steps: readonly AboutTrade[]) {
  const { rows } = await sql<NotificationKey>`
    insert into notifications (user_id, from_id, kind, trade_id)
    select x.user_id, x.from_id, x.kind, x.trade_id
    from json_to_recordset(${JSON.stringify(steps)}::json)
      as x (user_id bigint, from_id bigint, kind text, trade_id bigint)
    join users u on u.id = x.user_id join users o on o.id = x.from_id
    on conflict (from_id, user_id, kind, coalesce(listing_id, trade_id, 0)) do update
    set id = default, created_at = now(), read_at = null
    returning id, user_id`.execute(tx)
  return rows
}

/** Returns notifications with their receivers, oldest first. */
export async function listNotificationsById(db: Db, keys: readonly NotificationKey[]) {
  const { rows } = await sql<ReceivedRow>`
    select ${columns}, n.user_id
    from unnest(${keys.map(({ user_id }) => user_id)}::bigint[], ${keys.map(({ id }) => id)}::bigint[]) requested (user_id, id)
    cross join lateral (select * from notifications where user_id = requested.user_id and id = requested.id limit 1) n
    ${joins} order by n.id`.execute(db)
  return rows
}

/** Stores notifications of matches and returns them. Each replaces the member's older one about the listing. */
export async function replaceMatchNotifications(tx: Db, matches: readonly AboutMatch[]) {
  const records = sql`json_to_recordset(${JSON.stringify(matches)}::json) as x (
    user_id bigint, from_id bigint, kind text, want_id bigint, listing_id bigint, more integer)`
  await sql`
    delete from notifications where user_id = any (array(select user_id from ${records})) and id = any (array(
      select n.id from ${records} cross join lateral (
        select id from notifications
        where from_id = x.from_id and user_id = x.user_id and kind in ('match', 'swap') and coalesce(listing_id, trade_id, 0) = x.listing_id
        limit 2
      ) n))`.execute(tx)
  const { rows } = await sql<ReceivedRow>`
    with n as (
      insert into notifications (user_id, from_id, kind, want_id, listing_id, more)
      select user_id, from_id, kind, want_id, listing_id, more from ${records}
      on conflict (from_id, user_id, kind, coalesce(listing_id, trade_id, 0)) do nothing
      returning *
    )
    select ${columns}, n.user_id from n ${joins}`.execute(tx)
  return rows
}

/** Returns those of the swaps about whose listing the member has a notification. */
export async function listNotifiedSwapRows(tx: Db, users: number[], owners: number[], listings: number[]) {
  const { rows } = await sql<Pick<AboutMatch, 'user_id' | 'listing_id'>>`
    select n.user_id, n.listing_id
    from unnest(${users}::bigint[], ${owners}::bigint[], ${listings}::bigint[]) as x (user_id, from_id, listing_id)
    join notifications n on n.from_id = x.from_id and n.user_id = x.user_id and n.kind = 'swap'
      and coalesce(n.listing_id, n.trade_id, 0) = x.listing_id`.execute(tx)
  return rows
}

/** A listing of a member that ends soon. */
export interface AboutEnding {
  readonly owner_id: number
  readonly listing_id: number
}

/** Stores notifications of listings that end and returns them. */
export async function insertEndingNotifications(tx: Db, endings: readonly AboutEnding[]) {
  const { rows } = await sql<ReceivedRow>`
    with n as (
      insert into notifications (user_id, from_id, kind, listing_id)
      select owner_id, owner_id, 'listing_ending', listing_id from unnest(
        ${endings.map(({ owner_id }) => owner_id)}::bigint[], ${endings.map(({ listing_id }) => listing_id)}::bigint[]
      ) as x (owner_id, listing_id)
      returning *
    )
    select ${columns}, n.user_id from n ${joins}`.execute(tx)
  return rows
}

/** Deletes the owners' notifications that these listings end. */
export async function deleteEndingNotifications(tx: Db, endings: readonly AboutEnding[]): Promise<void> {
  const owners = anyOf(endings.map(({ owner_id }) => owner_id))
  await tx
    .deleteFrom('notifications')
    .where('from_id', '=', owners)
    .where('user_id', '=', owners)
    .where('kind', '=', 'listing_ending')
    .where('listing_id', '=', anyOf(endings.map(({ listing_id }) => listing_id)))
    .execute()
}

/** Deletes a member's notifications about another member, of one kind or all except those of trades. */
export async function deleteNotifications(
  tx: Db,
  { user_id, from_id, kind }: Omit<About, 'kind'> & Partial<Pick<About, 'kind'>>,
): Promise<void> {
  const deletion = tx
    .deleteFrom('notifications')
    .where('from_id', '=', from_id)
    .where('user_id', '=', user_id)
  await (kind ? deletion.where('kind', '=', kind) : deletion.where('trade_id', 'is', null)).execute()
}

/** Deletes the notifications of a match. */
export async function deleteMatchNotifications(tx: Db, wantId: number, listingId: number): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('want_id', '=', wantId)
    .where('listing_id', '=', listingId)
    .execute()
}

/** Marks a member's notification as read if it is unread. */
export async function updateOneRead(tx: Db, { user_id, from_id, kind }: About): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ read_at: new Date().toISOString() })
    .where('from_id', '=', from_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('read_at', 'is', null)
    .execute()
}

/** The joins that `shown` needs. */
const joinsOfShown = `join users o on o.id = n.from_id
  left join matches m on m.want_id = n.want_id and m.listing_id = n.listing_id and m.user_id = n.user_id
  left join listings l on l.id = n.listing_id`

/** Marks shown notifications up to an id and of some kinds as read. Returns how many were unread. */
export async function updateRead(
  db: Db,
  userId: number,
  { upTo, kinds }: { upTo: number; kinds: readonly Kind[] | undefined },
): Promise<number> {
  const { rows } = await sql`
    update notifications set read_at = now() where user_id = ${userId} and id = any (array(
      select n.id from (select ${userId}::bigint as id) me cross join notifications n ${sql.raw(joinsOfShown)}
      where n.user_id = ${userId} and n.id <= ${upTo} and n.read_at is null
        and (${kinds ?? null}::text[] is null or n.kind = any (${kinds ?? null})) and ${isShownToMe}
    ))
    returning id`.execute(db)
  return rows.length
}

/** Returns notifications before an id, newest first. */
export async function listNotificationRows(db: Db, userId: number, before: number, limit: number) {
  const { rows } = await sql<Notification>`
    select ${columns} from (select ${userId}::bigint as id) me cross join notifications n ${joins}
    where n.user_id = ${userId} and n.id < ${before} and ${isShownToMe}
    order by n.id desc limit ${limit}`.execute(db)
  return rows
}

const maxCounted = 100

const unread = statement<[userId: number], { count: number }>(
  `select count(*) from (
     select 1 from notifications n ${joinsOfShown}
     where n.user_id = $1 and n.read_at is null and ${shownTo('$1')} limit ${maxCounted}
   ) counted`,
)

/** Counts the unread notifications that are shown, up to 100. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const [counted] = await unread(db, userId)
  return counted?.count ?? 0
}

export async function deleteOldNotifications(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'notifications', sql`created_at < ${before}`)
}
