import type { Transaction } from 'kysely'
import type { z } from 'zod/mini'
import type { listNotifications, Notification, readNotifications } from '#contract/notifications.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { avatarPath } from '#server/features/images/paths.ts'
import { afterCommit, inTransaction } from '#server/platform/db/database.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Tables } from '#server/tables.ts'
import {
  type About,
  type AboutEnding,
  type AboutMatch,
  type AboutTrade,
  deleteEndingNotifications,
  deleteMatchNotifications,
  deleteNotifications,
  insertEndingNotifications,
  insertNotification,
  insertRingNotifications,
  insertTradeNotifications,
  listNotificationRows,
  listNotificationsById,
  listNotifiedSwapRows,
  type NotificationKey,
  type NotificationRow,
  replaceMatchNotifications,
  updateOneRead,
  updateRead,
} from './queries.ts'

/** Stores a notification, which replaces an older one with the same subject, and publishes it after the commit. */
export async function notify(deps: Publisher, tx: Transaction<Tables>, about: About): Promise<void> {
  await deleteNotifications(tx, about)
  await publishAfterCommit(deps, tx, [{ ...(await insertNotification(tx, about)), user_id: about.user_id }])
}

/** Stores notifications of matches and publishes them after the commit. Each replaces the member's older one about the listing. */
export async function notifyOfMatches(
  deps: Publisher,
  tx: Transaction<Tables>,
  matches: readonly AboutMatch[],
): Promise<void> {
  await publishAfterCommit(deps, tx, await replaceMatchNotifications(tx, matches))
}

async function publishAfterCommit(
  { realtime }: Publisher,
  tx: Transaction<Tables>,
  rows: readonly (NotificationRow & { user_id: number })[],
): Promise<void> {
  await afterCommit(tx, () => {
    for (const { user_id, ...row } of rows) realtime.publish([user_id], 'notification', toResponse(row))
  })
}

/** Stores notifications of listings that end soon, for their owners, and publishes them after the commit. Each replaces an older one. */
export async function notifyOfEndings(
  deps: Publisher,
  tx: Transaction<Tables>,
  endings: readonly AboutEnding[],
): Promise<void> {
  await deleteEndingNotifications(tx, endings)
  await publishAfterCommit(deps, tx, await insertEndingNotifications(tx, endings))
}

/** Stores notifications of steps of trades and returns their keys. Each replaces an older one. Deleted members get none. */
export function notifyOfTrades(
  tx: Transaction<Tables>,
  steps: readonly AboutTrade[],
): Promise<NotificationKey[]> {
  return insertTradeNotifications(tx, JSON.stringify(steps))
}

/** Notifies members of found rings. Leaves out those whose last such notification is unread, or was read less than a day ago. */
export async function notifyOfRings(
  deps: Publisher,
  tx: Transaction<Tables>,
  members: readonly number[],
): Promise<void> {
  await publishAfterCommit(deps, tx, await insertRingNotifications(tx, members))
}

/** Returns the notifications of the keys with their receivers. Leaves out those that a newer one has replaced. */
export async function notificationsByIds(
  db: Deps['db'],
  keys: readonly NotificationKey[],
): Promise<{ user_id: number; notification: Notification }[]> {
  const rows = await listNotificationsById(db, keys)
  return rows.map(({ user_id, ...row }) => ({ user_id, notification: toResponse(row) }))
}

/** Returns those of the swaps whose member has a notification about the listing already. */
export function listNotifiedSwaps(
  tx: Transaction<Tables>,
  swaps: readonly (Pick<AboutMatch, 'user_id' | 'listing_id'> & { owner_id: number })[],
): Promise<Pick<AboutMatch, 'user_id' | 'listing_id'>[]> {
  return listNotifiedSwapRows(
    tx,
    swaps.map(({ user_id }) => user_id),
    swaps.map(({ owner_id }) => owner_id),
    swaps.map(({ listing_id }) => listing_id),
  )
}

/** Marks a notification as read because the member has acted on it. */
export async function resolveNotification(tx: Transaction<Tables>, about: About): Promise<void> {
  await updateOneRead(tx, about)
}

/** Deletes a notification because what it is about was taken back or declined. */
export async function retractNotification(tx: Transaction<Tables>, about: About): Promise<void> {
  await deleteNotifications(tx, about)
}

/** Deletes the notifications of two members about each other, except those of trades. */
export async function retractNotificationsBetween(
  tx: Transaction<Tables>,
  one: number,
  other: number,
): Promise<void> {
  await deleteNotifications(tx, { user_id: one, from_id: other })
  await deleteNotifications(tx, { user_id: other, from_id: one })
}

/** Deletes the notifications of a match that its member has dismissed. */
export async function retractNotificationsOf(
  tx: Transaction<Tables>,
  match: { want_id: number; listing_id: number },
): Promise<void> {
  await deleteMatchNotifications(tx, match.want_id, match.listing_id)
}

/** Returns a page of the caller's notifications, newest first. */
export async function notificationsOf(
  db: Deps['db'],
  caller: number,
  { limit, cursor }: z.output<typeof listNotifications.query>,
): Promise<Page<Notification>> {
  const found = await listNotificationRows(db, caller, decodeIdCursor(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ id }) => id)
  return { rows: rows.map(toResponse), next }
}

/** Marks the caller's notifications as read, all or those up to an id and of some kinds. Returns how many were unread. */
export async function markRead(
  db: Deps['db'],
  caller: number,
  { up_to: upTo = Number.MAX_SAFE_INTEGER, kinds }: z.output<typeof readNotifications.body>,
): Promise<{ updated: number }> {
  const updated = await inTransaction(db, (tx) => updateRead(tx, caller, { upTo, kinds }))
  return { updated }
}

function toResponse(row: NotificationRow): Notification {
  const { id, kind, created_at, read_at, from_id, from_username, from_picture_name } = row
  const user = {
    id: from_id,
    username: from_username,
    profile_picture: avatarPath(from_picture_name, 'small'),
  }
  return {
    id,
    kind,
    created_at,
    read_at,
    user,
    match: matchOf(row),
    listing: endingListingOf(row),
    trade: tradeOf(row),
  }
}

function matchOf({ want_id, want_title, listing_id, listing_title, reason, more }: NotificationRow) {
  if (want_id === null || listing_id === null) return null
  return {
    want_id,
    want_title: want_title ?? '',
    listing_id,
    listing_title: listing_title ?? '',
    reason: reason ?? '',
    more,
  }
}

function endingListingOf({ kind, listing_id, listing_title, listing_expires_at }: NotificationRow) {
  if (kind !== 'listing_ending' || listing_id === null || listing_expires_at === null) return null
  return { id: listing_id, title: listing_title ?? '', expires_at: listing_expires_at }
}

function tradeOf(row: NotificationRow): Notification['trade'] {
  const { trade_id, trade_kind, trade_state, trade_listing_id, trade_listing_title, pickup_starts_at } = row
  if (trade_id === null || trade_kind === null || trade_state === null || trade_listing_id === null)
    return null
  return {
    id: trade_id,
    kind: trade_kind,
    state: trade_state,
    listing_id: trade_listing_id,
    listing_title: trade_listing_title ?? '',
    pickup_starts_at,
  }
}
