import type { z } from 'zod/mini'
import type { listNotifications, Notification, readNotifications } from '#contract/notifications.ts'
import type { Publisher } from '#server/deps.ts'
import { afterCommit, inTransaction } from '#server/platform/db/database.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db, Tx } from '#server/tables.ts'
import { listMembers, type Member } from './delivery-queries.ts'
import type { AnyKind, Declarations, NotificationKind } from './kinds.ts'
import {
  deleteFrom,
  deleteReplaced,
  insertNotifications,
  listNotified,
  type NewNotification,
  notificationQueries,
  type Received,
  updateReadFrom,
} from './queries.ts'
import { type JobAdder, schedule } from './scheduling.ts'
import type { Hub } from './sending.ts'

export type NotifyDeps = Publisher & JobAdder

/** The member who is told of an event, the member who caused it or the same one, and the data of the event. */
export interface Event<Data> {
  readonly user_id: number
  readonly from_id: number
  readonly data: Data
  /** The member's settings, if they are known. */
  readonly member?: Member
}

export function createHub(declarations: Declarations): Hub {
  return { ...declarations, queries: notificationQueries(declarations) }
}

/**
 * Tells members of events: stores notifications, publishes them after the commit, and schedules their mails and pushes. Each replaces an
 * older notification with the same subject.
 */
export async function notify<Data extends object>(
  deps: NotifyDeps,
  tx: Tx,
  kind: NotificationKind<Data>,
  events: readonly Event<Data>[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => toRow(kind, event))
  if (kind.replaces) await deleteReplaced(tx, kind.replaces, rows)
  const stored = await insertNotifications(tx, kind, rows)
  publishAfterCommit(deps, tx, stored)
  const { delivery } = kind
  if (!delivery) return
  const members = await membersOf(tx, events, delivery.preference)
  const told = rows.flatMap(({ user_id, about_type, about_id }) => {
    const member = members.get(user_id)
    return member ? [{ member, subject_id: about_type === delivery.topic ? about_id : 0 }] : []
  })
  await schedule(deps, tx, delivery, told, kind.isUrgent)
}

function toRow(kind: AnyKind, { user_id, from_id, data }: Event<object>): NewNotification {
  const { about, ...parsed } = kind.parse(data, from_id)
  return { user_id, from_id, kind: kind.name, about_type: about[0], about_id: about[1], ...parsed }
}

async function membersOf(
  tx: Tx,
  events: readonly Event<unknown>[],
  preference: Parameters<typeof listMembers>[2],
): Promise<ReadonlyMap<number, Member>> {
  const known = events.flatMap(({ member }) => member ?? [])
  const found =
    known.length === events.length
      ? known
      : await listMembers(tx, [...new Set(events.map(({ user_id }) => user_id))], preference)
  return new Map(found.map((member) => [member.user_id, member]))
}

function publishAfterCommit({ realtime }: Publisher, tx: Tx, stored: readonly Received[]): void {
  afterCommit(tx, () => {
    for (const { user_id, ...notification } of stored)
      realtime.publish([user_id], 'notification', notification)
  })
}

/** Returns those of the events whose member has a notification of this kind about the same subject. */
export async function notifiedOf<Data extends object, One extends Event<Data>>(
  tx: Tx,
  kind: NotificationKind<Data>,
  events: readonly One[],
): Promise<One[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => toRow(kind, event))
  const keyOf = ({ user_id, about_id }: Pick<NewNotification, 'user_id' | 'about_id'>) =>
    `${user_id} ${about_id}`
  const found = new Set((await listNotified(tx, rows)).map(keyOf))
  return events.filter((_, index) => rows[index] && found.has(keyOf(rows[index])))
}

/** Deletes a member's notifications of some kinds from another member, as far as their data contains some values. */
export function retract(
  tx: Tx,
  kinds: readonly AnyKind[],
  { user_id, from_id, data }: Event<object>,
): Promise<void> {
  return deleteFrom(
    tx,
    user_id,
    from_id,
    kinds.map(({ name }) => name),
    data,
  )
}

/** Marks a member's notification of a kind from another member as read. */
export function markReadFrom(tx: Tx, { name }: AnyKind, userId: number, fromId: number): Promise<void> {
  return updateReadFrom(tx, userId, fromId, name)
}

/** Returns a page of the caller's notifications, newest first. */
export async function notificationsOf(
  db: Db,
  { queries }: Hub,
  caller: number,
  { limit, cursor }: z.output<typeof listNotifications.query>,
): Promise<Page<Notification>> {
  const found = await queries.list(db, caller, decodeIdCursor(cursor), limit + 1)
  return paginate(found, limit, ({ id }) => id)
}

/** Marks the caller's notifications as read: all, or those up to an id, of some kinds and about something. Returns how many were unread. */
export async function markRead(
  db: Db,
  { kinds: declared, queries }: Hub,
  caller: number,
  { up_to: upTo = Number.MAX_SAFE_INTEGER, kinds, about }: z.output<typeof readNotifications.body>,
): Promise<{ updated: number }> {
  return inTransaction(db, async (tx) => {
    const read = await queries.updateRead(tx, caller, { upTo, kinds, about })
    for (const [name, rows] of Map.groupBy(read, ({ kind }) => kind))
      await declared.get(name)?.read(
        tx,
        caller,
        rows.map(({ data }) => data),
      )
    return { updated: read.length }
  })
}
