import { notificationTimes } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { inBatches, inTransaction } from '#server/platform/db/database.ts'
import { outsideCallers } from '#server/platform/db/outside-callers.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { nextLocalTime } from '#server/platform/local-time.ts'
import type { Db, Tx } from '#server/tables.ts'
import {
  listMembers,
  listPendingMails,
  type Member,
  postponeDue,
  takeDue,
  updateDue,
  updateSentIds,
  upsertDue,
} from './delivery-queries.ts'
import type { Channel, Declarations, Delivery, DeliveryKey } from './kinds.ts'
import { afterQuietHours } from './quiet-hours.ts'

export interface JobAdder {
  readonly jobs: Pick<Deps['jobs'], 'add'>
}

/** Queues the mails and pushes that are due. */
export const deliverDue = jobKind<Record<never, never>>('deliver-notifications')

export type DeliveryData = Omit<DeliveryKey, 'channel'>
/** Mail servers are slow: the concurrency is the number of the mailer's connections. */
export const sendMail = jobKind<DeliveryData>('send-notification-mail', { concurrency: 3 })
export const sendPush = jobKind<DeliveryData>('send-notification-push')

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const later = (from: Date, ms: number) => new Date(from.getTime() + ms)

/** Returns when a member's mail and push about a new event are due. A mail waits for a push that is about to be shown. */
export function dueTimes(
  { mail: { when, delayMinutes = 0 } = {}, pushDelaySeconds = 0 }: Delivery,
  { time_zone, has_push, mail }: Member,
  now: Date,
  isUrgent = false,
): { mail?: Date; push?: Date } {
  const zone = time_zone ?? 'UTC'
  const asked = later(now, pushDelaySeconds * secondMs)
  const push = isUrgent ? asked : afterQuietHours(zone, asked)
  const isPushSoon = has_push && push <= later(now, minuteMs)
  const delayMs = Math.max(delayMinutes, isPushSoon ? notificationTimes.mailAfterPushMinutes : 0) * minuteMs
  const isDaily = (when ?? mail) === 'daily'
  return {
    ...(has_push && { push }),
    ...(mail !== 'never' && {
      mail: isDaily ? nextLocalTime(zone, notificationTimes.digestHour, now) : later(now, delayMs),
    }),
  }
}

/** A member who is told about a subject. */
export interface Told {
  readonly member: Member
  readonly subject_id: number
}

/** Schedules the mails and pushes of an event that the transaction has stored. */
export async function schedule(
  { jobs }: JobAdder,
  tx: Tx,
  delivery: Delivery,
  told: readonly Told[],
  isUrgent?: boolean,
): Promise<void> {
  const { topic, pushDelaySeconds = 0 } = delivery
  const now = new Date()
  const due = told.flatMap(({ member, subject_id }) => {
    const times = Object.entries(dueTimes(delivery, member, now, isUrgent)) as [Channel, Date][]
    const key = { user_id: member.user_id, topic, subject_id }
    return times.map(([channel, at]) => ({ ...key, channel, due_at: at.toISOString() }))
  })
  if (due.length === 0) return
  await upsertDue(tx, topic, due)
  // The job also runs every minute.
  await jobs.add(tx, deliverDue, {}, pushDelaySeconds)
}

/**
 * Returns a function that schedules the dispatch of what is due in some seconds. One job dispatches all that is due in the same few
 * seconds.
 */
export function dispatchScheduler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, delaySeconds: number): () => void {
  const delayMs = delaySeconds * secondMs
  let nextRunAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (nextRunAt >= now + delayMs) return
    nextRunAt = Math.max(now, nextRunAt) + delayMs
    const seconds = Math.ceil((nextRunAt - now) / secondMs)
    outsideCallers(() => inTransaction(db, (tx) => jobs.add(tx, deliverDue, {}, seconds))).catch(() => {
      // The next call schedules it. It also runs every minute and reads the due times.
      nextRunAt = Number.NEGATIVE_INFINITY
    })
  }
}

/**
 * Reschedules a member's pending mails after a change of their preferences. News that the member did not want to be mailed are not mailed
 * later either: those from before the change count as sent, and a mail that they have turned off is dispatched at once, which sends nothing.
 */
export async function reschedule(
  { jobs }: JobAdder,
  { deliveries, kinds }: Declarations,
  tx: Tx,
  { user_id, changed }: { user_id: number; changed: readonly string[] },
): Promise<void> {
  for (const { topic, preference, unsent } of deliveries.values())
    if (changed.includes(preference) && !unsent)
      await updateSentIds(tx, user_id, topic, namesOf(kinds, topic))
  for (const { pause_end, ...key } of await listPendingMails(tx, user_id)) {
    const delivery = deliveries.get(key.topic)
    if (!delivery || !(changed.includes(delivery.preference) || changed.includes('time_zone'))) continue
    const [member] = await listMembers(tx, [user_id], delivery.preference)
    if (!member) continue
    const now = new Date()
    const { mail } = dueTimes(delivery, { ...member, has_push: false }, now)
    const end = new Date(pause_end ?? now)
    await updateDue(tx, key, (mail && end > mail ? end : (mail ?? now)).toISOString())
    await jobs.add(tx, deliverDue, {})
  }
}

/** Returns the names of the kinds that a topic delivers. */
export function namesOf(kinds: Declarations['kinds'], topic: string): string[] {
  return [...kinds.values()].flatMap(({ name, delivery }) => (delivery?.topic === topic ? name : []))
}

/** Moves a pending mail ahead after a push about the same was shown, or a push to the end of the quiet hours. */
export async function postpone(
  db: Db,
  delivery: Delivery,
  key: DeliveryKey,
  moment: Date | 'after the push',
): Promise<void> {
  const until =
    moment === 'after the push'
      ? later(new Date(), notificationTimes.mailAfterShownPushHours * hourMs)
      : moment
  const update = delivery.postpone ?? (key.channel === 'push' ? updateDue : postponeDue)
  await update(db, key, until.toISOString())
}

const hubBatchSize = 500

/** Queues a job for each mail and push that is due, so that each is retried alone. */
export async function dispatch(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { deliveries }: Declarations,
): Promise<void> {
  const others = [...deliveries.values()].flatMap(({ sources = [] }) => sources)
  // A batch lacks what others have locked, so it can be small although more is due.
  for (const { batchSize, take } of [{ batchSize: hubBatchSize, take: takeDue }, ...others])
    await inBatches(db, 1, async (tx) => {
      const due = await take(tx, batchSize)
      const { mail = [], push = [] } = Object.groupBy(due, ({ channel }) => channel)
      await jobs.addAll(tx, sendMail, mail.map(toData))
      await jobs.addAll(tx, sendPush, push.map(toData))
      return due.length
    })
}

const toData = ({ channel: _, ...data }: DeliveryKey): DeliveryData => data
