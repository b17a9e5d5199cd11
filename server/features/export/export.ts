import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Deps } from '#server/deps.ts'
import { createQueue } from '#server/platform/queue.ts'
import { requireToken } from '#server/platform/token-buckets.ts'
import type { Db } from '#server/tables.ts'
import {
  type Condition,
  hasVisibleListing,
  isDelivered,
  isOwnOrReceivedPhoto,
  isShownFriendship,
  readPages,
  refersTo,
  type WithheldColumns,
  withheldLeg,
  withheldThanks,
} from './queries.ts'

/**
 * The columns that refer to a member, with the parts of their rows that an export contains. A test checks that every such column of
 * the schema is listed.
 */
export const exportRules = {
  'users.id': { without: ['password_hash', 'invitation_version'] },
  'former_usernames.user_id': { without: ['spelling_hash'] },
  'sessions.user_id': { without: ['token_hash'] },
  'password_resets.user_id': { without: ['token_hash', 'job_id'] },
  'email_confirmations.user_id': { without: ['token_hash', 'job_id'] },
  'waiting_mails.user_id': { without: [] },
  // Members must not learn that they were declined.
  'friendships.low_id': { without: ['declines', 'answered_at'], where: isShownFriendship('low_id') },
  'friendships.high_id': { without: ['declines', 'answered_at'], where: isShownFriendship('high_id') },
  'notifications.user_id': { without: [], where: hasVisibleListing },
  // Notifications of another member belong to that member.
  'notifications.from_id': 'not exported',
  // The state of the mail would show whether the address belongs to a member.
  'invitations.user_id': { without: ['email', 'email_hash', 'token_hash', 'refused_at'] },
  'images.owner_id': { without: [], where: isOwnOrReceivedPhoto },
  'listings.owner_id': { without: ['search', 'index_version', 'folded_under', 'folded_count', 'crops'] },
  'wants.user_id': { without: ['terms_version', 'crops', 'postal_code_id'] },
  'matches.user_id': { without: ['mail_pending', 'push_pending'], where: hasVisibleListing },
  'notification_schedule.user_id': { without: [] },
  'deliveries.user_id': { without: [] },
  'push_subscriptions.user_id': { without: ['session_hash', 'endpoint', 'p256dh', 'auth'] },
  'blocks.blocker_id': { without: [] },
  // Members must not learn who has blocked them.
  'blocks.blocked_id': 'not exported',
  // The member's id and the partner's, again.
  'messages.sender_id': { without: ['low_id', 'high_id', 'is_withdrawn'] },
  'messages.receiver_id': { without: ['low_id', 'high_id', 'is_withdrawn'], where: isDelivered },
  // The first of these columns would reveal a block.
  'threads.member_id': { without: ['shown_read_id', 'push_due_at', 'pushed_at'] },
  // The read position of the other side belongs to that member.
  'threads.partner_id': 'not exported',
  'trades.requester_id': { without: ['remind_at', 'pickup_remind_at'] },
  'trade_legs.giver_id': { without: [], withheld: withheldLeg },
  // Would reveal which member of a ring has not agreed, and the place of a pickup for longer than its taker may see it.
  'trade_legs.taker_id': { without: ['accepted', 'pickup_place'], withheld: withheldLeg },
  'trade_parties.member_id': { without: [] },
  'ring_legs.giver_id': { without: [] },
  // The export has these rings already, through their givers.
  'ring_legs.taker_id': 'not exported',
  'thanks.author_id': { without: ['hidden_at'], withheld: withheldThanks },
  'thanks.receiver_id': { without: [], withheld: withheldThanks },
  'desk_roles.user_id': { without: [] },
  'suspensions.user_id': { without: [] },
  'registration_networks.user_id': { without: [] },
  'pauses.user_id': { without: [] },
  'notices.user_id': { without: [] },
  'unheld_members.user_id': { without: [] },
  // The snapshot has data of others.
  'reports.reporter_id': { without: ['snapshot', 'case_id'] },
  // Members must not learn who has reported them.
  'reports.user_id': 'not exported',
} as const satisfies Record<string, Rule>

/** The columns that an export omits, and the condition of its rows. By default these are all that refer to the member. */
type Rule =
  | 'not exported'
  | {
      readonly without: readonly string[]
      readonly withheld?: WithheldColumns
      readonly where?: (userId: number) => Condition
    }

/** Limits concurrent exports, because each holds a database connection. */
const runLimited = createQueue({ concurrency: 2, maxWaiting: 50 })

/**
 * Exports all data about a member as JSON, with a list of rows per table, from one snapshot. It is written to a file first, so that a
 * slow client holds neither memory nor a connection. Throws `too_many`, and `unavailable` if too many exports are waiting.
 */
export async function exportAccount(
  { db, mayExport }: Pick<Deps, 'db'> & { mayExport: (member: number) => boolean },
  userId: number,
): Promise<Readable> {
  requireToken(mayExport, userId, 60)
  return runLimited(() => writeExport(db, userId))
}

async function writeExport(db: Db, userId: number): Promise<Readable> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-export-'))
  try {
    const path = join(folder, 'export.json')
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => pipeline(toJson(tx, userId), createWriteStream(path)))
    return (await open(path)).createReadStream()
  } finally {
    // An open file can still be read after it is deleted.
    await rm(folder, { recursive: true, force: true })
  }
}

async function* toJson(tx: Db, userId: number): AsyncGenerator<string> {
  const rules = Object.entries<Rule>(exportRules).filter(([, rule]) => rule !== 'not exported')
  const byTable = Map.groupBy(rules, ([name]) => name.slice(0, name.indexOf('.')))
  let isFirst = true
  for (const [table, columns] of byTable) {
    yield `${isFirst ? '{' : ',\n'}${JSON.stringify(table)}: [`
    isFirst = false
    let separator = '\n'
    for (const [name, rule] of columns) {
      if (rule === 'not exported') continue
      const column = name.slice(table.length + 1)
      const condition = rule.where?.(userId) ?? refersTo(column, userId)
      for await (const rows of readPages(tx, userId, { table, condition, ...rule })) {
        yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
        separator = ',\n'
      }
    }
    yield ']'
  }
  yield '}\n'
}
