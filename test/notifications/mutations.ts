import type { TestedMutation } from '../run-mutations.ts'

const features = 'server/features'
const hub = `${features}/notifications`

function mutation(file: string, text: string, bug: string, ...tests: string[]): TestedMutation {
  return { file, edits: [[text, bug]], tests: tests.map((test) => `${features}/${test}.test.ts`) }
}

/** The bugs that the tests of mails, pushes and notifications must detect: each rule of the hub (decision 0042) broken once. */
export const mutations: Readonly<Record<string, TestedMutation>> = {
  'a shown push spares no mail': mutation(
    `${hub}/sending.ts`,
    'if (shown > 0) await postpone(',
    'if (shown > 99) await postpone(',
    'messages/pushing',
  ),
  'what was looked at is mailed': mutation(
    `${hub}/queries.ts`,
    '= $3) and n.read_at is null',
    '= $3)',
    'messages/price-drops',
  ),
  'what was mailed is mailed again': mutation(
    `${hub}/queries.ts`,
    'n.id > coalesce(',
    'n.id > 0 * coalesce(',
    'messages/price-drops',
  ),
  'the steps of a trade are mailed at once': mutation(
    `${features}/trades/notifications.ts`,
    'delayMinutes: notificationTimes.tradeMailMinutes',
    'delayMinutes: 0',
    'trades/step-texts',
  ),
  'a late step is mailed': mutation(
    `${hub}/sending.ts`,
    '!kinds.get(one.kind)?.isLate?.(one)',
    'kinds.has(one.kind)',
    'trades/step-texts',
  ),
  'a thread that was opened is mailed': mutation(
    `${features}/messages/queries.ts`,
    'unread_since = null, mailed_at = null,',
    '',
    'messages/unread-mails',
  ),
  'a thread is mailed for each message': mutation(
    `${features}/messages/sending-queries.ts`,
    "${later('threads.mailed_at', `make_interval(mins => ${remailMinutes})`)}",
    'threads.mailed_at',
    'messages/unread-mails',
  ),
  'a thread is mailed once': mutation(
    `${features}/messages/sending-queries.ts`,
    'mailed_at = case when excluded.unread_since is null then threads.mailed_at end',
    'mailed_at = threads.mailed_at',
    'messages/unread-mails',
  ),
  'mails ignore the preference': mutation(
    `${hub}/sending.ts`,
    "unsent.content && member.mail !== 'never'",
    'unsent.content',
    'messages/unread-mails',
  ),
  'what happened without the preference is mailed later': mutation(
    `${hub}/scheduling.ts`,
    'if (changed.includes(preference) && !unsent)',
    'if (changed.length > 99 && preference && !unsent)',
    'messages/price-drops',
  ),
  'a mail that was turned off stays pending': mutation(
    `${hub}/scheduling.ts`,
    '(mail ?? now)',
    "(mail ?? new Date('3000-01-01'))",
    'matches/notification-schedule',
  ),
  'pushes ignore the quiet hours': mutation(
    `${hub}/quiet-hours.ts`,
    'hour >= from || hour < to',
    'hour > 99 && from > to',
    'messages/pushing',
  ),
  'looking at a thing reads all of its type': mutation(
    `${hub}/queries.ts`,
    'n.about_id = any (${about?.ids ?? []})',
    'n.about_id <> all (${about && []})',
    'messages/price-drops',
  ),
  'a browser is not told of the end of its login': mutation(
    `${features}/push/jobs.ts`,
    'await jobs.addAll(tx, sendLastPush, ended)',
    '',
    'push/ended-sessions',
  ),
  'a hidden listing is named in mails': mutation(
    `${features}/trades/notifications.ts`,
    "case when not ${isLegWithheld('leg', 'n.user_id')} then leg.title end",
    'leg.title',
    'trades/hidden-listings',
  ),
  'a suspended member is named in trades': mutation(
    `${features}/visibility/listings.ts`,
    'withheld.suspended_at is not null',
    'false',
    'trades/hidden-listings',
  ),
  'a block hides no notification': mutation(
    `${hub}/queries.ts`,
    " and not ${hasBlocked('n.user_id', 'n.from_id')}",
    '',
    'trades/hidden-listings',
  ),
  'a block hides no thread': mutation(
    `${features}/messages/queries.ts`,
    'and last_message_id < $2 and ${isUnblocked} ${page}',
    'and last_message_id < $2 ${page}',
    'trades/hidden-listings',
  ),
  'a block hides no badge': mutation(
    `${features}/messages/queries.ts`,
    'and unread_count > 0 and ${isUnblocked}',
    'and unread_count > 0',
    'trades/hidden-listings',
  ),
}
