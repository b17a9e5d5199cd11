import { z } from 'zod/mini'
import { msg } from '#contract/message.ts'
import type { Notification } from '#contract/notifications.ts'
import { type Delivery, notificationKind } from '#server/features/notifications/kinds.ts'
import { needsReminder } from '#server/features/visibility/listings.ts'
import { isoTimestamp } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'
import { listedUntil, reminderMail, reminderTitle } from './mails/reminder.ts'
import { reminderPath } from './reminder-link.ts'

const endingDelivery: Delivery = {
  topic: 'listings-ending',
  category: 'listing',
  preference: 'mail_listings',
  mail: {
    because: msg('You get this note because you have listed it. We ask once.'),
    async of(db, notifications, reader) {
      const ending = notifications.map(listingOf).sort(soonestFirst)
      const withPaths = await Promise.all(ending.map((one) => withPath(db, one)))
      const [first, ...others] = withPaths
      if (!first) throw new Error('A reminder is about no listing')
      return reminderMail([first, ...others], reader)
    },
  },
  order: (one, other) => soonestFirst(listingOf(one), listingOf(other)),
  path: '/my-listings',
}

function listingOf({ listing }: Notification) {
  if (!listing) throw new Error('A reminder has no listing')
  return listing
}

const soonestFirst = (one: { expires_at: string }, other: { expires_at: string }) =>
  Date.parse(one.expires_at) - Date.parse(other.expires_at)

async function withPath(db: Db, listing: NonNullable<Notification['listing']>) {
  return { ...listing, path: await reminderPath(db, listing) }
}

/** A listing of the member ends soon or has ended. It is outdated once they relist it, hide it or mark it as gone. */
export const listingEnding = notificationKind('listing_ending', {
  data: z.object({ listing_id: z.int() }),
  about: ({ listing_id }) => ['listing', listing_id],
  facts: `
    select json_build_object('listing', json_build_object('id', l.id, 'title', l.title, 'expires_at', ${isoTimestamp('l.expires_at')}))
    from listings l
    where l.id = n.about_id and l.owner_id = n.user_id and l.remind_at is null and ${needsReminder}`,
  delivery: endingDelivery,
  text: (notification, { t }) => {
    const listing = listingOf(notification)
    return {
      title: reminderTitle(listing, t),
      body: `${listedUntil(listing, t)} ${t('List it again, or say that it is gone.')}`,
      label: t('Answer'),
      path: `/listings/${listing.id}`,
    }
  },
})
