import { type MailQueue, mailQueueMessages, type QueuedJob } from '#contract/mail-queue.ts'
import type { Deps } from '#server/deps.ts'
import { recordAction } from '#server/features/desk/audit.ts'
import { usernamesOf } from '#server/features/desk/roles.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  countQueued,
  deleteDeadLetters,
  listDeadLetters,
  listRetrying,
  type QueuedWork,
  retryDeadLetters,
} from '#server/platform/jobs.ts'
import type { Db, Tx } from '#server/tables.ts'
import { sendTestMailJob } from './jobs.ts'
import { countRefusedInvitations, countUnconfirmed, listRefusedMembers, listUnconfirmed } from './queries.ts'

/** How many rows each list of the screen has. */
const shown = 50

/** The audit log has the queue as the target of what is done with jobs. */
const site = ['site', 0] as const

/** Returns what waits in the job queue, and who gets no mail. */
export async function mailQueueOf(db: Db): Promise<MailQueue> {
  const [counts, failed, retrying, refused, refused_invitations, count, members] = await Promise.all([
    countQueued(db),
    listDeadLetters(db, shown),
    listRetrying(db, shown),
    listRefusedMembers(db, shown),
    countRefusedInvitations(db),
    countUnconfirmed(db),
    listUnconfirmed(db, shown),
  ])
  const names = await usernamesOf(
    db,
    [...failed, ...retrying].flatMap((job) => memberOf(job) ?? []),
  )
  const describe = (job: QueuedWork): QueuedJob => {
    const { id, name, tries, at, message } = job
    const member = memberOf(job)
    return {
      id,
      kind: name,
      tries,
      at,
      error: message,
      member: member === undefined ? null : { id: member, username: names.get(member) ?? null },
    }
  }
  return {
    counts,
    failed: failed.map(describe),
    retrying: retrying.map(describe),
    refused,
    refused_invitations,
    unconfirmed: { count, members },
  }
}

function memberOf({ data }: QueuedWork): number | undefined {
  return 'user_id' in data && typeof data.user_id === 'number' ? data.user_id : undefined
}

/** Tries a failed job again, or all of them. Throws `not_found`. */
export function retryFailed(db: Db, actor: number, id: string | undefined): Promise<{ count: number }> {
  return withFailed(db, actor, { id, action: 'jobs_retried', work: retryDeadLetters })
}

/** Deletes a failed job, or all of them. Throws `not_found`. */
export function dropFailed(db: Db, actor: number, id: string | undefined): Promise<{ count: number }> {
  return withFailed(db, actor, { id, action: 'jobs_dropped', work: deleteDeadLetters })
}

interface Change {
  readonly id: string | undefined
  readonly action: 'jobs_retried' | 'jobs_dropped'
  /** Changes the jobs and returns their kinds. */
  readonly work: (tx: Tx, id?: string) => Promise<string[]>
}

async function withFailed(db: Db, actor: number, { id, action, work }: Change): Promise<{ count: number }> {
  return inTransaction(db, async (tx) => {
    const kinds = await work(tx, id)
    if (kinds.length === 0) throw new AppError('not_found', mailQueueMessages.noSuchJob)
    const counts = Object.entries(Object.groupBy(kinds, (kind) => kind))
    const reason = counts.map(([kind, jobs = []]) => `${kind}: ${jobs.length}`).join(', ')
    await recordAction(tx, actor, { action, target: site, reason })
    return { count: kinds.length }
  })
}

/** Queues a test mail to an address. The audit log has that it was sent, not to whom. */
export async function queueTestMail(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  actor: number,
  to: string,
): Promise<{ message: string }> {
  await inTransaction(db, async (tx) => {
    await jobs.add(tx, sendTestMailJob, { user_id: actor, to })
    await recordAction(tx, actor, { action: 'test_mail_sent', target: site })
  })
  return { message: mailQueueMessages.testSent }
}
