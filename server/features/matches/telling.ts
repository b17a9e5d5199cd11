import type { Transaction } from 'kysely'
import { telling } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { type Notice, notifyOfMatches, toldSwaps } from '#server/features/notifications/notifications.ts'
import { hourAt, nextStrike } from '#server/platform/local-time.ts'
import type { Tables } from '#server/tables.ts'
import type { SwapRow, WanterRow } from './finding-queries.ts'
import { matchMail, matchPush, tellMatches } from './job-kinds.ts'
import {
  type Channel,
  type Due,
  dropMail,
  listWanters,
  takeDue,
  updateMailDue,
  updatePending,
  upsertDue,
} from './telling-queries.ts'

/** What a member is to be told: of this match, and that there are so many more. */
export interface News {
  readonly wanter: WanterRow
  readonly owner_id: number
  readonly want_id: number
  readonly listing_id: number
  readonly more: number
}

/**
 * Tells in the app, and has it told by mail and push when each member wants it so. What has become a swap is told as such, and
 * to both sides. Announce the notices after the commit.
 */
export async function tell(
  { jobs }: { jobs: Pick<Deps['jobs'], 'add'> },
  tx: Transaction<Tables>,
  news: readonly News[],
  swapped: readonly SwapRow[],
): Promise<Notice[]> {
  const swaps = await notToldYet(
    tx,
    swapped.filter((match) => match.is_swap && match.is_heard),
  )
  const all = [...news, ...(await newsOfSwaps(tx, news, swaps))]
  if (all.length === 0) return []
  const areSwaps = new Set(swaps.map(pairOf))
  const notices = await notifyOfMatches(
    tx,
    all.map(({ wanter, owner_id, want_id, listing_id, more }) => {
      const user_id = wanter.user_id
      const kind = areSwaps.has(pairOf({ user_id, listing_id })) ? 'swap' : 'match'
      return { user_id, from_id: owner_id, kind, want_id, listing_id, more }
    }),
  )
  const due = all.flatMap(({ wanter }) => whenToTell(wanter, new Date()))
  if (due.length > 0) {
    await upsertDue(tx, due)
    await jobs.add(tx, tellMatches, {})
  }
  return notices
}

/** Matches that were told before, and can be swapped since now. */
async function newsOfSwaps(
  tx: Transaction<Tables>,
  news: readonly News[],
  swaps: readonly SwapRow[],
): Promise<News[]> {
  const told = new Set(news.map(({ wanter, listing_id }) => pairOf({ user_id: wanter.user_id, listing_id })))
  const others = swaps.filter((match) => !told.has(pairOf(match)))
  if (others.length === 0) return []
  const wanters = await listWanters(tx, [...new Set(others.map(({ user_id }) => user_id))])
  const byId = new Map(wanters.map((wanter) => [wanter.user_id, wanter]))
  await updatePending(tx, others)
  const ofPair = Map.groupBy(others, ({ user_id, owner_id }) => `${user_id} ${owner_id}`)
  return [...ofPair.values()].flatMap(([match, ...more]) => {
    const wanter = match && byId.get(match.user_id)
    return wanter ? [{ ...match, wanter, more: more.length }] : []
  })
}

async function notToldYet(tx: Transaction<Tables>, swaps: readonly SwapRow[]): Promise<readonly SwapRow[]> {
  if (swaps.length === 0) return swaps
  const told = new Set((await toldSwaps(tx, swaps)).map(pairOf))
  return swaps.filter((match) => !told.has(pairOf(match)))
}

function pairOf({ user_id, listing_id }: { user_id: number; listing_id: number }): string {
  return `${user_id} ${listing_id}`
}

/** When a member is to be told of what has come now, if the last time was long enough ago. */
function whenToTell(member: WanterRow, now: Date): Due[] {
  const { user_id, mail_matches, has_push } = member
  const zone = member.time_zone ?? 'UTC'
  const due: Due[] = []
  if (mail_matches !== 'never')
    due.push({ user_id, channel: 'mail', due_at: mailDue(member, now).toISOString() })
  if (has_push) due.push({ user_id, channel: 'push', due_at: afterQuiet(zone, now).toISOString() })
  return due
}

function mailDue({ mail_matches, time_zone }: WanterRow, now: Date): Date {
  return mail_matches === 'daily' ? nextStrike(time_zone ?? 'UTC', telling.digestHour, now) : now
}

/** What waits to be mailed goes by what the member wants from now on: it comes at once, waits for the morning, or never comes. */
export async function remail(
  { jobs }: { jobs: Pick<Deps['jobs'], 'add'> },
  tx: Transaction<Tables>,
  userId: number,
): Promise<void> {
  const [member] = await listWanters(tx, [userId])
  if (!member) return
  if (member.mail_matches === 'never') return dropMail(tx, userId)
  await updateMailDue(tx, userId, mailDue(member, new Date()).toISOString())
  await jobs.add(tx, tellMatches, {})
}

/** Now, or in the night the end of it. */
export function afterQuiet(zone: string, now: Date): Date {
  const { from, to } = telling.quiet
  const hour = hourAt(zone, now)
  return hour >= from || hour < to ? nextStrike(zone, to, now) : now
}

const atOnce = 500

/** Has those told whose time has come: a job for each, so that one that fails is tried again alone. */
export async function haveTold({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  for (let taken = atOnce; taken === atOnce; ) {
    taken = await db.transaction().execute(async (tx) => {
      const due = await takeDue(tx, atOnce)
      const to = (channel: Channel) =>
        due.flatMap((member) => (member.channel === channel ? [{ user_id: member.user_id }] : []))
      await jobs.addAll(tx, matchMail, to('mail'))
      await jobs.addAll(tx, matchPush, to('push'))
      return due.length
    })
  }
}
