import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { visibleListings } from '#server/features/listings/listing.ts'
import { AppError } from '#server/platform/errors.ts'
import { pagesNaming } from './export-queries.ts'

/**
 * Each column that names a member, and what of its rows an export holds: all but secrets, or nothing where the row is
 * somebody else's word about them. A test finds every such column in the schema and looks for it here.
 */
export const namesMembers = {
  'users.id': { without: ['password_hash', 'invitation_version'] },
  'sessions.user_id': { without: ['token_hash'] },
  'password_resets.user_id': { without: ['token_hash'] },
  'email_confirmations.user_id': { without: ['token_hash'] },
  'waiting_mails.user_id': { without: [] },
  // Members must not learn that they were declined.
  'friendships.low_id': { without: ['declines', 'answered_at'], keeps: withoutDeclinedBy },
  'friendships.high_id': { without: ['declines', 'answered_at'], keeps: withoutDeclinedBy },
  'notifications.user_id': { without: [], keeps: ofVisibleListings },
  // Notifications of another member belong to that member.
  'notifications.from_id': 'not exported',
  // Whether a mail is on its way, has been sent or was not, would show whose address it is.
  'invitations.user_id': { without: ['email', 'email_hash', 'token_hash'] },
  'listings.owner_id': { without: ['search', 'index_version'] },
  'wants.user_id': { without: ['terms_version'] },
  'matches.user_id': { without: ['mail_pending', 'push_pending'], keeps: ofVisibleListings },
  'notification_schedule.user_id': { without: [] },
  'push_subscriptions.user_id': { without: ['session_hash', 'endpoint', 'p256dh', 'auth'] },
  'blocks.blocker_id': { without: [] },
  // Members must not learn who has blocked them.
  'blocks.blocked_id': 'not exported',
  'messages.sender_id': { without: [] },
  'messages.receiver_id': { without: [] },
  // The first of these columns would reveal a block.
  'threads.member_id': { without: ['shown_read_id', 'push_due_at', 'pushed_at'] },
  // How far the other side has read is theirs.
  'threads.partner_id': 'not exported',
  'reports.reporter_id': { without: [] },
  // Nor is who has reported them.
  'reports.user_id': 'not exported',
} as const satisfies Record<string, Rule>

type Row = Record<string, unknown>
/** Which columns an export leaves out, and which rows. */
type Rule = 'not exported' | { readonly without: readonly string[]; readonly keeps?: Keeps }
/** Returns the rows that the member may know of. */
type Keeps = (
  rows: readonly Row[],
  userId: number,
  tx: Deps['db'],
) => readonly Row[] | Promise<readonly Row[]>

function withoutDeclinedBy(rows: readonly Row[], userId: number): readonly Row[] {
  return rows.filter(({ status, requester_id }) => !(status === 'rejected' && requester_id === userId))
}

/** Keeps rows about no listing, or about one that the member may see. */
async function ofVisibleListings(
  rows: readonly Row[],
  userId: number,
  tx: Deps['db'],
): Promise<readonly Row[]> {
  const ids = rows.flatMap(({ listing_id }) => (typeof listing_id === 'number' ? listing_id : []))
  const visible = await visibleListings(tx, userId, ids)
  return rows.filter(({ listing_id }) => typeof listing_id !== 'number' || visible.has(listing_id))
}

/** Each holds a connection for as long as it reads. */
const turn = pLimit(2)
const maxWaiting = 50

/**
 * Everything that is kept about a member, as it is at one moment: a list of rows for each table that names them, as JSON.
 * It goes by way of the disk, so that neither memory nor a connection is held for as long as a slow reader takes.
 * Throws `too_many`, `unavailable`.
 */
export async function exportAccount(
  { db, mayExport }: Pick<Deps, 'db'> & { mayExport: (member: number) => boolean },
  userId: number,
): Promise<Readable> {
  if (!mayExport(userId)) throw new AppError('too_many', errorMessages.tooManyAttempts, { retryAfter: 60 })
  if (turn.pendingCount >= maxWaiting)
    throw new AppError('unavailable', errorMessages.unavailable, { retryAfter: 10 })
  return turn(() => written(db, userId))
}

async function written(db: Deps['db'], userId: number): Promise<Readable> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-export-'))
  try {
    const path = join(folder, 'export.json')
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => pipeline(textOf(tx, userId), createWriteStream(path)))
    return (await open(path)).createReadStream()
  } finally {
    // An open file can still be read after it is deleted.
    await rm(folder, { recursive: true, force: true })
  }
}

async function* textOf(tx: Deps['db'], userId: number): AsyncGenerator<string> {
  const rules = Object.entries<Rule>(namesMembers).filter(([, rule]) => rule !== 'not exported')
  const byTable = Map.groupBy(rules, ([name]) => name.slice(0, name.indexOf('.')))
  let isFirst = true
  for (const [table, columns] of byTable) {
    yield `${isFirst ? '{' : ',\n'}${JSON.stringify(table)}: [`
    isFirst = false
    let separator = '\n'
    for (const [name, rule] of columns) {
      if (rule === 'not exported') continue
      const column = name.slice(table.length + 1)
      for await (const page of pagesNaming(tx, table, column, userId, rule.without)) {
        const rows = rule.keeps ? await rule.keeps(page, userId, tx) : page
        if (rows.length === 0) continue
        yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
        separator = ',\n'
      }
    }
    yield ']'
  }
  yield '}\n'
}
