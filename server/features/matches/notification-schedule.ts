import { notificationTimes } from '#contract/constants.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { listNotifiedSwaps, notifyOfMatches } from '#server/features/notifications/notifications.ts'
import { afterQuietHours } from '#server/features/push/quiet-hours.ts'
import { inBatches } from '#server/platform/db/database.ts'
import { nextLocalTime } from '#server/platform/local-time.ts'
import type { Tx } from '#server/tables.ts'
import type { InterestedMember, SwapRow } from './finding-queries.ts'
import { dispatchNotifications, sendMatchMail, sendMatchPush } from './job-kinds.ts'
import {
  type Channel,
  cancelMail,
  type Due,
  listInterestedMembers,
  takeDue,
  updateMailDue,
  updatePendingAgain,
  upsertDue,
} from './notification-schedule-queries.ts'

export interface NotifyDeps extends Publisher {
  readonly jobs: Pick<Deps['jobs'], 'add'>
}

/** A new match of a member. `more` counts the member's other new matches that are notified of together with it. */
export interface NewMatch {
  readonly interested: InterestedMember
  readonly owner_id: number
  readonly want_id: number
  readonly listing_id: number
  readonly more: number
}

/**
 * Stores notifications of new matches and schedules mails and pushes as each member prefers. Both sides are notified of a new
 * swap.
 */
export async function notifyMembers(
  { jobs, realtime }: NotifyDeps,
  tx: Tx,
  newMatches: readonly NewMatch[],
  candidates: readonly SwapRow[],
): Promise<void> {
  const swaps = await withoutNotified(
    tx,
    candidates.filter((match) => match.is_swap && match.is_visible),
  )
  const all = [...newMatches, ...(await markEarlierMatchesPending(tx, newMatches, swaps))]
  if (all.length === 0) return
  const swapKeys = new Set(swaps.map(matchKey))
  await notifyOfMatches(
    { realtime },
    tx,
    all.map(({ interested, owner_id, want_id, listing_id, more }) => {
      const user_id = interested.user_id
      const kind = swapKeys.has(matchKey({ user_id, listing_id })) ? 'swap' : 'match'
      return { user_id, from_id: owner_id, kind, want_id, listing_id, more }
    }),
  )
  const due = all.flatMap(({ interested }) => dueTimes(interested, new Date()))
  if (due.length > 0) {
    await upsertDue(tx, due)
    await jobs.add(tx, dispatchNotifications, {})
  }
}

/**
 * Marks earlier matches that have become swaps as pending again, so that the next mail and push name them as swaps. Returns one match
 * for each pair of member and owner, with the number of the others.
 */
async function markEarlierMatchesPending(
  tx: Tx,
  newMatches: readonly NewMatch[],
  swaps: readonly SwapRow[],
): Promise<NewMatch[]> {
  const notified = new Set(
    newMatches.map(({ interested, listing_id }) => matchKey({ user_id: interested.user_id, listing_id })),
  )
  const earlier = swaps.filter((match) => !notified.has(matchKey(match)))
  if (earlier.length === 0) return []
  const interestedMembers = await listInterestedMembers(tx, [
    ...new Set(earlier.map(({ user_id }) => user_id)),
  ])
  const byId = new Map(interestedMembers.map((interested) => [interested.user_id, interested]))
  await updatePendingAgain(tx, earlier)
  const byOwner = Map.groupBy(earlier, ({ user_id, owner_id }) => `${user_id} ${owner_id}`)
  return [...byOwner.values()].flatMap(([match, ...others]) => {
    const interested = match && byId.get(match.user_id)
    return interested ? [{ ...match, interested, more: others.length }] : []
  })
}

async function withoutNotified(tx: Tx, swaps: readonly SwapRow[]): Promise<readonly SwapRow[]> {
  if (swaps.length === 0) return swaps
  const notified = new Set((await listNotifiedSwaps(tx, swaps)).map(matchKey))
  return swaps.filter((match) => !notified.has(matchKey(match)))
}

function matchKey({ user_id, listing_id }: { user_id: number; listing_id: number }): string {
  return `${user_id} ${listing_id}`
}

/** Returns when a member's mail and push about a new match are due. */
function dueTimes(member: InterestedMember, now: Date): Due[] {
  const { user_id, mail_matches, has_push } = member
  const zone = member.time_zone ?? 'UTC'
  const due: Due[] = []
  if (mail_matches !== 'never')
    due.push({ user_id, channel: 'mail', due_at: mailDue(member, now).toISOString() })
  if (has_push) due.push({ user_id, channel: 'push', due_at: afterQuietHours(zone, now).toISOString() })
  return due
}

function mailDue({ mail_matches, time_zone }: InterestedMember, now: Date): Date {
  return mail_matches === 'daily' ? nextLocalTime(time_zone ?? 'UTC', notificationTimes.digestHour, now) : now
}

/** Reschedules or cancels a member's pending mail after a change of their preferences. */
export async function rescheduleMail(
  { jobs }: Pick<NotifyDeps, 'jobs'>,
  tx: Tx,
  userId: number,
): Promise<void> {
  const [member] = await listInterestedMembers(tx, [userId])
  if (!member) return
  if (member.mail_matches === 'never') return cancelMail(tx, userId)
  await updateMailDue(tx, userId, mailDue(member, new Date()).toISOString())
  await jobs.add(tx, dispatchNotifications, {})
}

const batchSize = 500

/** Queues a job for each mail and push that is due, so that each is retried alone. */
export async function dispatchDue({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await inBatches(db, batchSize, async (tx) => {
    const due = await takeDue(tx, batchSize)
    const recipientsOf = (channel: Channel) =>
      due.flatMap((member) => (member.channel === channel ? [{ user_id: member.user_id }] : []))
    await jobs.addAll(tx, sendMatchMail, recipientsOf('mail'))
    await jobs.addAll(tx, sendMatchPush, recipientsOf('push'))
    return due.length
  })
}
