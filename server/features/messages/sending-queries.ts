import { notificationTimes } from '#contract/constants.ts'
import { photoLocks, photoUpdates, photoVerdict, sentPhotos } from '#server/features/images/message-photos.ts'
import { firstPhoto, type PhotoRow } from '#server/features/images/paths.ts'
import { isVisibleTo } from '#server/features/visibility/listings.ts'
import { areBlocked } from '#server/features/visibility/members.ts'
import { statement } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'
import { type ListingColumns, listingColumns } from './queries.ts'

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

/** The type of each field of a draft in the statement, which has a parameter for each. */
const draftTypes = {
  sender_id: 'bigint',
  receiver_id: 'bigint',
  content: 'text',
  client_id: 'uuid',
  session: 'bytea',
  listing_id: 'bigint',
  image_ids: 'text',
} as const satisfies Record<keyof Draft, string>
const draftFields = Object.keys(draftTypes) as (keyof Draft)[]
const draftParameter = (field: keyof Draft) => `$${draftFields.indexOf(field) + 1}::${draftTypes[field]}[]`
const draftParameters = draftFields.map(draftParameter).join(', ')
const draftColumns = draftFields.join(', ').replace('image_ids', 'image_ids_text')

/** `allowed`, or the reason why a draft is refused. */
export type Verdict = 'allowed' | 'no session' | 'no receiver' | 'blocked' | 'no listing' | 'no photo'

/** The result for a draft. */
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

/** Locks the conversations of messages in a fixed order, until the transaction ends. */
export const lockConversations = (
  messages: string,
) => `select pg_advisory_xact_lock(conversation) is not null as is_locked from (
      select distinct hashint8extended(low_id, high_id) as conversation from ${messages} order by conversation
    ) conversations`

/** Locks the conversations and then reads the time, so that the times of a conversation ascend with the ids. */
export const lockedConversations = (messages: string) => `locked as materialized (
    ${lockConversations(messages)}
  ), moment as materialized (
    select max(clock_timestamp()) as at from locked
  )`

/** Selects the lower and the higher member of a conversation. */
export const pairColumns =
  'least(sender_id, receiver_id) as low_id, greatest(sender_id, receiver_id) as high_id'

/** A row for the sender and one for the receiver of each stored message. */
export const sidesOfStored = `(
      select sender_id as member_id, receiver_id as partner_id, id, 0 as unread from stored
      union all
      select receiver_id, sender_id, id, 1 from stored
    ) sides`

/** A mail is due some minutes after `unread_since`. The next one about the thread keeps the pause after the last one. */
const remailMinutes = notificationTimes.unreadMailPauseHours * 60 - notificationTimes.unreadMailMinutes

/** Adds an interval. Unlike the operator for times with a zone it is immutable, because a day in UTC has 24 hours. */
const later = (time: string, interval: string) =>
  `(${time} at time zone 'UTC' + ${interval}) at time zone 'UTC'`

/** Updates the conversations of both members with the stored messages. */
const threadUpdates = `sides as materialized (
    select member_id, partner_id, max(id) as last_message_id, sum(unread) as unread_count,
      case when sum(unread) > 0 then now() end as unread_since,
      case when sum(unread) > 0 and exists (select from push_subscriptions p where p.user_id = member_id)
        then now() + make_interval(secs => ${notificationTimes.pushDelaySeconds}) end as push_due_at
    from ${sidesOfStored}
    group by member_id, partner_id
  ),
  updated_threads as (
    insert into threads (member_id, partner_id, last_message_id, unread_count, unread_since, push_due_at)
    select member_id, partner_id, last_message_id, unread_count, unread_since, push_due_at from sides
    order by member_id, partner_id
    on conflict (member_id, partner_id) do update set
      last_message_id = excluded.last_message_id,
      unread_count = threads.unread_count + excluded.unread_count,
      unread_since = case
        when excluded.unread_since is null then threads.unread_since
        when threads.mailed_at is null then coalesce(threads.unread_since, excluded.unread_since)
        else greatest(excluded.unread_since, ${later('threads.mailed_at', `make_interval(mins => ${remailMinutes})`)}) end,
      mailed_at = case when excluded.unread_since is null then threads.mailed_at end,
      push_due_at = coalesce(threads.push_due_at, case when excluded.push_due_at is not null then greatest(excluded.push_due_at,
        ${later('threads.pushed_at', `make_interval(mins => ${notificationTimes.pauseMinutes.push})`)}) end)
    returning push_due_at
  )`

/**
 * Locks the sessions until the commit, so that nothing is stored for a session that has ended. Locks the conversations in a fixed
 * order to prevent deadlocks, and before the messages get ids, so that later messages of a conversation have higher ids. Stores only
 * the first of several drafts with the same client_id. Locks the photos, which must be the sender's and unused; of several drafts with
 * the same photo the first gets it. Without photos it has no steps for them.
 */
function insertStatement(hasPhotos: boolean) {
  const steps = [
    `drafts as materialized (
    select *, ${pairColumns}, string_to_array(image_ids_text, ',')::bigint[] as image_ids
    from unnest(${draftParameters}) with ordinality as d (${draftColumns}, position)
  )`,
    `valid_sessions as materialized (
    select token_hash from sessions where token_hash = any (${draftParameter('session')}) and expires_at > now()
    order by token_hash for key share
  )`,
    ...(hasPhotos ? photoLocks : []),
    `checked as materialized (
    select d.*, case
      when d.session not in (select token_hash from valid_sessions) then 'no session'
      when r.id is null then 'no receiver'
      when ${areBlocked('d.sender_id', 'd.receiver_id')} then 'blocked'
      when d.listing_id is not null and not exists (
        select from listings l where l.id = d.listing_id and ${isVisibleTo('d.sender_id')} and ${isVisibleTo('d.receiver_id')}
      ) then 'no listing'
      ${hasPhotos ? photoVerdict : ''}
      else 'allowed' end as verdict
    from drafts d left join users r on r.id = d.receiver_id and r.suspended_at is null
  )`,
    `sent as materialized (
    select *, verdict = 'allowed'
      and row_number() over (partition by sender_id, client_id, verdict order by position) = 1 as is_first
    from checked
  )`,
    lockedConversations('sent where is_first'),
    `stored as (
    insert into messages (low_id, high_id, sender_id, receiver_id, content, client_id, listing_id, has_images, created_at)
    select low_id, high_id, sender_id, receiver_id, content, client_id, listing_id, ${hasPhotos} and cardinality(image_ids) > 0, at
    from sent cross join moment where is_first
    order by position
    on conflict do nothing
    returning id, sender_id, receiver_id, content, client_id, created_at
  )`,
    ...(hasPhotos ? [photoUpdates] : []),
    threadUpdates,
  ]
  return statement<unknown[], InsertedRow>(`
  with ${steps.join(', ')}
  select sent.verdict, stored.id, stored.content, stored.created_at,
    exists (select from updated_threads where push_due_at is not null) as is_pushed, ${listingColumns},
    ${hasPhotos ? sentPhotos : 'null::json'} as photos
  from sent left join stored
    on sent.is_first and stored.sender_id = sent.sender_id and stored.client_id = sent.client_id
  left join listings l on l.id = sent.listing_id ${firstPhoto}
  order by sent.position`)
}

const insertDrafts = { withPhotos: insertStatement(true), withoutPhotos: insertStatement(false) }

/** Stores messages and updates both sides' threads, in one transaction. Returns a row for each draft, in their order. */
export function insertMessages(db: Db, drafts: readonly Draft[]): Promise<InsertedRow[]> {
  const hasPhotos = drafts.some(({ image_ids }) => image_ids.length > 0)
  const values = draftFields.map((field) =>
    drafts.map((draft) => (field === 'image_ids' ? draft.image_ids.join(',') : draft[field])),
  )
  return insertDrafts[hasPhotos ? 'withPhotos' : 'withoutPhotos'](db, ...values)
}
