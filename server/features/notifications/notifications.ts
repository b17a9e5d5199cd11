import type { z } from 'zod/mini'
import type { listNotifications, Notification, readNotifications } from '#contract/notifications.ts'
import type { Publisher } from '#server/deps.ts'
import { afterCommit, inTransaction } from '#server/platform/db/database.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db, Tx } from '#server/tables.ts'
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
  replaceMatchNotifications,
  updateRead,
} from './queries.ts'

/** Stores a notification, which replaces an older one with the same subject, and publishes it after the commit. */
export async function notify(deps: Publisher, tx: Tx, about: About): Promise<void> {
  await deleteNotifications(tx, about)
  publishAfterCommit(deps, tx, [{ ...(await insertNotification(tx, about)), user_id: about.user_id }])
}

/** Stores notifications of matches and publishes them after the commit. Each replaces the member's older one about the listing. */
export async function notifyOfMatches(
  deps: Publisher,
  tx: Tx,
  matches: readonly AboutMatch[],
): Promise<void> {
  publishAfterCommit(deps, tx, await replaceMatchNotifications(tx, matches))
}

function publishAfterCommit(
  { realtime }: Publisher,
  tx: Tx,
  notifications: readonly (Notification & { user_id: number })[],
): void {
  afterCommit(tx, () => {
    for (const { user_id, ...notification } of notifications)
      realtime.publish([user_id], 'notification', notification)
  })
}

/** Stores notifications of listings that end soon, for their owners, and publishes them after the commit. Each replaces an older one. */
export async function notifyOfEndings(
  deps: Publisher,
  tx: Tx,
  endings: readonly AboutEnding[],
): Promise<void> {
  await deleteEndingNotifications(tx, endings)
  publishAfterCommit(deps, tx, await insertEndingNotifications(tx, endings))
}

/** Stores notifications of steps of trades and returns their keys. Each replaces an older one. Deleted members get none. */
export async function notifyOfTrades(tx: Tx, steps: readonly AboutTrade[]): Promise<NotificationKey[]> {
  return steps.length > 0 ? insertTradeNotifications(tx, steps) : []
}

/** Notifies members of found rings. Leaves out those whose last such notification is unread, or was read less than a day ago. */
export async function notifyOfRings(deps: Publisher, tx: Tx, members: readonly number[]): Promise<void> {
  publishAfterCommit(deps, tx, await insertRingNotifications(tx, members))
}

/** Returns the notifications of the keys with their receivers. Leaves out those that a newer one has replaced. */
export async function notificationsByIds(
  db: Db,
  keys: readonly NotificationKey[],
): Promise<{ user_id: number; notification: Notification }[]> {
  const rows = await listNotificationsById(db, keys)
  return rows.map(({ user_id, ...notification }) => ({ user_id, notification }))
}

/** Returns those of the swaps whose member has a notification about the listing already. */
export function listNotifiedSwaps(
  tx: Tx,
  swaps: readonly (Pick<AboutMatch, 'user_id' | 'listing_id'> & { owner_id: number })[],
): Promise<Pick<AboutMatch, 'user_id' | 'listing_id'>[]> {
  return listNotifiedSwapRows(
    tx,
    swaps.map(({ user_id }) => user_id),
    swaps.map(({ owner_id }) => owner_id),
    swaps.map(({ listing_id }) => listing_id),
  )
}

/** Deletes the notifications of two members about their friendship and requests. */
export async function retractFriendNotifications(tx: Tx, one: number, other: number): Promise<void> {
  for (const kind of ['friend_request', 'friend_accepted'] as const) {
    await deleteNotifications(tx, { user_id: one, from_id: other, kind })
    await deleteNotifications(tx, { user_id: other, from_id: one, kind })
  }
}

/** Deletes the notifications of two members about each other, except those of trades. */
export async function retractNotificationsBetween(tx: Tx, one: number, other: number): Promise<void> {
  await deleteNotifications(tx, { user_id: one, from_id: other })
  await deleteNotifications(tx, { user_id: other, from_id: one })
}

/** Deletes the notifications of a match that its member has dismissed. */
export async function retractNotificationsOf(
  tx: Tx,
  match: { want_id: number; listing_id: number },
): Promise<void> {
  await deleteMatchNotifications(tx, match.want_id, match.listing_id)
}

/** Returns a page of the caller's notifications, newest first. */
export async function notificationsOf(
  db: Db,
  caller: number,
  { limit, cursor }: z.output<typeof listNotifications.query>,
): Promise<Page<Notification>> {
  const found = await listNotificationRows(db, caller, decodeIdCursor(cursor), limit + 1)
  return paginate(found, limit, ({ id }) => id)
}

/** Marks the caller's notifications as read, all or those up to an id and of some kinds. Returns how many were unread. */
export async function markRead(
  db: Db,
  caller: number,
  { up_to: upTo = Number.MAX_SAFE_INTEGER, kinds }: z.output<typeof readNotifications.body>,
): Promise<{ updated: number }> {
  const updated = await inTransaction(db, (tx) => updateRead(tx, caller, { upTo, kinds }))
  return { updated }
}
