import type { Deps } from '#server/deps.ts'
import { listRowsNaming } from './export-queries.ts'

/**
 * Each column that names a member, and what of its rows an export holds: all but secrets, or nothing where the row is
 * somebody else's word about them. A test finds every such column in the schema and looks for it here.
 */
export const namesMembers = {
  'users.id': { without: ['password_hash'] },
  'sessions.user_id': { without: ['token_hash'] },
  'password_resets.user_id': { without: ['token_hash'] },
  'email_confirmations.user_id': { without: ['token_hash'] },
  'waiting_mails.user_id': { without: [] },
  // Nobody is told that they were declined, here neither.
  'friendships.low_id': { without: ['declines', 'answered_at'], hides: isOwnDeclined },
  'friendships.high_id': { without: ['declines', 'answered_at'], hides: isOwnDeclined },
  'notifications.user_id': { without: [] },
  // What another was told of them, and whether they have read it, is the other's.
  'notifications.from_id': 'not exported',
  'invitations.user_id': { without: ['email_hash', 'token_hash'] },
  'listings.owner_id': { without: ['terms_version', 'signature'] },
  'wants.user_id': { without: ['terms_version'] },
  'matches.user_id': { without: ['mail_pending', 'push_pending'] },
  'match_tellings.user_id': { without: [] },
  'push_subscriptions.user_id': { without: ['endpoint', 'p256dh', 'auth'] },
  'blocks.blocker_id': { without: [] },
  // Who has blocked a member is not for them to know.
  'blocks.blocked_id': 'not exported',
  'messages.sender_id': { without: [] },
  'messages.receiver_id': { without: [] },
  'threads.member_id': { without: [] },
  // How far the other side has read is theirs.
  'threads.partner_id': 'not exported',
  'reports.reporter_id': { without: [] },
  // Nor is who has reported them.
  'reports.user_id': 'not exported',
} as const satisfies Record<string, Rule>

type Row = Record<string, unknown>
/** Which columns an export leaves out, and which rows. */
type Rule =
  | 'not exported'
  | { readonly without: readonly string[]; readonly hides?: (row: Row, userId: number) => boolean }

function isOwnDeclined({ status, requester_id }: Row, userId: number): boolean {
  return status === 'rejected' && requester_id === userId
}

/** Everything that is kept about a member: a list of rows for each table that names them. */
export async function exportAccount(db: Deps['db'], userId: number): Promise<Record<string, unknown[]>> {
  const exported: Record<string, unknown[]> = {}
  for (const [name, rule] of Object.entries<Rule>(namesMembers)) {
    if (rule === 'not exported') continue
    const [table = '', column = ''] = name.split('.')
    const rows = await listRowsNaming(db, table, column, userId, rule.without)
    exported[table] = [...(exported[table] ?? []), ...rows.filter((row) => !rule.hides?.(row, userId))]
  }
  return exported
}
