import type { Transaction } from 'kysely'
import { notificationTimes } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import {
  listNotifiedSwaps,
  notifyOfMatches,
  type PendingNotification,
} from '#server/features/notifications/notifications.ts'
import { hourAt, nextLocalTime } from '#server/platform/local-time.ts'
import type { Tables } from '#server/tables.ts'
import type { InterestedMember, SwapRow } from './finding-queries.ts'
import { dispatchNotifications, matchMail, matchPush } from './job-kinds.ts'
import {
  type Channel,
  type Due,
  dropMail,
  listInterestedMembers,
  takeDue,
  updateMailDue,
  updatePending,
  upsertDue,
} from './notification-schedule-queries.ts'

/** What a member is to be told: of this match, and that there are so many more. */
export interface NewMatch {
  readonly interested: InterestedMember
  readonly owner_id: number
  readonly want_id: number
  readonly listing_id: number
  readonly more: number
}

/**
 * Tells in the app, and has it told by mail and push when each member wants it so. What has become a swap is told as such, and
 * to both sides. Announce the notices after the commit.
 */
export async function notifyMembers(
  { jobs }: { jobs: Pick<Deps['jobs'], 'add'> },
  tx: Transaction<Tables>,
  newMatches: readonly NewMatch[],
  swapped: readonly SwapRow[],
): Promise<PendingNotification[]> {
  const swaps = await withoutNotified(
    tx,
    swapped.filter((match) => match.is_swap && match.is_notified),
  )
  const all = [...newMatches, ...(await newMatchesOfSwaps(tx, newMatches, swaps))]
  if (all.length === 0) return []
  const areSwaps = new Set(swaps.map(pairOf))
  const notices = await notifyOfMatches(
    tx,
    all.map(({ interested, owner_id, want_id, listing_id, more }) => {
      const user_id = interested.user_id
      const kind = areSwaps.has(pairOf({ user_id, listing_id })) ? 'swap' : 'match'
      return { user_id, from_id: owner_id, kind, want_id, listing_id, more }
    }),
  )
  const due = all.flatMap(({ interested }) => dueTimes(interested, new Date()))
  if (due.length > 0) {
    await upsertDue(tx, due)
    await jobs.add(tx, dispatchNotifications, {})
  }
  return notices
}

/** Matches that were told before, and can be swapped since now. */
async function newMatchesOfSwaps(
  tx: Transaction<Tables>,
  newMatches: readonly NewMatch[],
  swaps: readonly SwapRow[],
): Promise<NewMatch[]> {
  const told = new Set(
    newMatches.map(({ interested, listing_id }) => pairOf({ user_id: interested.user_id, listing_id })),
  )
  const others = swaps.filter((match) => !told.has(pairOf(match)))
  if (others.length === 0) return []
  const interestedMembers = await listInterestedMembers(tx, [
    ...new Set(others.map(({ user_id }) => user_id)),
  ])
  const byId = new Map(interestedMembers.map((interested) => [interested.user_id, interested]))
  await updatePending(tx, others)
  const ofPair = Map.groupBy(others, ({ user_id, owner_id }) => `${user_id} ${owner_id}`)
  return [...ofPair.values()].flatMap(([match, ...more]) => {
    const interested = match && byId.get(match.user_id)
    return interested ? [{ ...match, interested, more: more.length }] : []
  })
}

async function withoutNotified(
  tx: Transaction<Tables>,
  swaps: readonly SwapRow[],
): Promise<readonly SwapRow[]> {
  if (swaps.length === 0) return swaps
  const told = new Set((await listNotifiedSwaps(tx, swaps)).map(pairOf))
  return swaps.filter((match) => !told.has(pairOf(match)))
}

function pairOf({ user_id, listing_id }: { user_id: number; listing_id: number }): string {
  return `${user_id} ${listing_id}`
}

/** When a member is to be told of what has come now, if the last time was long enough ago. */
function dueTimes(member: InterestedMember, now: Date): Due[] {
  const { user_id, mail_matches, has_push } = member
  const zone = member.time_zone ?? 'UTC'
  const due: Due[] = []
  if (mail_matches !== 'never')
    due.push({ user_id, channel: 'mail', due_at: mailDue(member, now).toISOString() })
  if (has_push) due.push({ user_id, channel: 'push', due_at: afterQuiet(zone, now).toISOString() })
  return due
}

function mailDue({ mail_matches, time_zone }: InterestedMember, now: Date): Date {
  return mail_matches === 'daily' ? nextLocalTime(time_zone ?? 'UTC', notificationTimes.digestHour, now) : now
}

/** What waits to be mailed goes by what the member wants from now on: it comes at once, waits for the morning, or never comes. */
export async function rescheduleMail(
  { jobs }: { jobs: Pick<Deps['jobs'], 'add'> },
  tx: Transaction<Tables>,
  userId: number,
): Promise<void> {
  const [member] = await listInterestedMembers(tx, [userId])
  if (!member) return
  if (member.mail_matches === 'never') return dropMail(tx, userId)
  await updateMailDue(tx, userId, mailDue(member, new Date()).toISOString())
  await jobs.add(tx, dispatchNotifications, {})
}

/** Now, or in the night the end of it. */
export function afterQuiet(zone: string, now: Date): Date {
  const { from, to } = notificationTimes.quiet
  const hour = hourAt(zone, now)
  return hour >= from || hour < to ? nextLocalTime(zone, to, now) : now
}

const batchSize = 500

/** Has those told whose time has come: a job for each, so that one that fails is tried again alone. */
export async function dispatchDue({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  for (let taken = batchSize; taken === batchSize; ) {
    taken = await db.transaction().execute(async (tx) => {
      const due = await takeDue(tx, batchSize)
      const to = (channel: Channel) =>
        due.flatMap((member) => (member.channel === channel ? [{ user_id: member.user_id }] : []))
      await jobs.addAll(tx, matchMail, to('mail'))
      await jobs.addAll(tx, matchPush, to('push'))
      return due.length
    })
  }
}
