import { z } from 'zod/mini'
import type { Language } from '#contract/languages.ts'
import type { Notification } from '#contract/notifications.ts'
import { tellStoredReason } from '#server/features/matching/explain.ts'
import { type Delivery, notificationKind } from '#server/features/notifications/kinds.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { Tx } from '#server/tables.ts'
import { type MailedMatch, matchesMail, sentence } from './mails/matches.ts'
import { listPending, takePreviousSchedule, updateReadPending, updateSent } from './pending-queries.ts'
import { matchShown, parties } from './queries.ts'
import { storedReason } from './stored-reason.ts'

/** Tells a member of all pending matches that are still shown. They are more than the notifications, which count the others. */
export const matchDelivery: Delivery = {
  topic: 'matches',
  category: 'match',
  preference: 'mail_matches',
  async unsent(db, { user_id, channel }, reader) {
    const pending = await listPending(db, user_id, channel)
    const [first, ...others] = eachListingOnce(pending.filter((match) => match.is_shown))
    return {
      content: first && {
        mail: () => matchesMail([first, ...others], reader),
        push: () => pushOf(first, others.length, reader.t),
      },
      markSent: (db) => updateSent(db, user_id, channel, pending),
    }
  },
  sources: [{ batchSize: 500, take: takePreviousSchedule }],
}

/** Keeps the first match of each listing, as a listing may fit several wants. */
export function eachListingOnce<Row extends MailedMatch>(matches: readonly Row[]): Row[] {
  const seen = new Set<number>()
  return matches.filter(({ listing_id }) => !seen.has(listing_id) && seen.add(listing_id))
}

function pushOf(first: MailedMatch, more: number, t: Translator) {
  const { listing_title, owner_username: owner } = first
  const title = first.is_swap ? t('A swap: {title}', { title: listing_title }) : listing_title
  return {
    title: more === 0 ? title : t('{first}, and {count, number} more', { first: title, count: more }),
    body: t('{reason} From {owner}.', { reason: sentence(first.reason, t), owner }),
    path: more === 0 ? `/listings/${first.listing_id}` : '/matches',
  }
}

const id = z.int()
const aboutListing = {
  /** `more` counts the other matches that were found with it. */
  data: z.object({ want_id: id, listing_id: id, more: z.int() }),
  about: ({ listing_id }: { listing_id: number }) => ['listing', listing_id] as const,
  facts: `
    select json_build_object('match', json_build_object('want_id', w.id, 'want_title', w.title, 'listing_id', l.id,
      'listing_title', l.title, 'reason', ${storedReason}, 'more', coalesce((n.data->>'more')::int, 0)))
    from matches m ${parties} join wants w on w.id = m.want_id
    where m.want_id = (n.data->>'want_id')::bigint and m.listing_id = n.about_id and m.user_id = n.user_id and ${matchShown}`,
  render: ({ match, ...facts }: Partial<Notification>, language: Language | null) => ({
    ...facts,
    ...(match && { match: { ...match, reason: tellStoredReason(match.reason, language, 'interested') } }),
  }),
  delivery: matchDelivery,
  onRead: (tx: Tx, userId: number, read: readonly { listing_id: number }[]) =>
    updateReadPending(
      tx,
      userId,
      read.map(({ listing_id }) => listing_id),
    ),
}

export const matchFound = notificationKind('match', { ...aboutListing, replaces: ['swap'] })
export const swapFound = notificationKind('swap', { ...aboutListing, replaces: ['match'] })

export const matchNotifications = [matchFound, swapFound]
