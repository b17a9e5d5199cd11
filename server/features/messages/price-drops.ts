import { z } from 'zod/mini'
import { types } from '#contract/constants.ts'
import { msg } from '#contract/message.ts'
import type { Notification } from '#contract/notifications.ts'
import { type Delivery, notificationKind } from '#server/features/notifications/kinds.ts'
import { isOfferedTo } from '#server/features/visibility/listings.ts'

const priceDelivery: Delivery = {
  topic: 'prices',
  category: 'listing',
  preference: 'mail_listings',
  mail: { when: 'daily', because: msg('You get this mail because you have asked about it.') },
  path: '/notifications',
}

/** A listing that the member has asked about became cheaper. It is outdated once it is dearer again, or not on offer for the member. */
export const priceDropped = notificationKind('price_dropped', {
  data: z.object({ listing_id: z.int(), from: z.number() }),
  about: ({ listing_id }) => ['listing', listing_id],
  facts: `
    select json_build_object('price_drop', json_build_object(
      'listing_id', l.id, 'listing_title', l.title, 'from', n.data->'from', 'to', l.price))
    from listings l join users o on o.id = l.owner_id
    where l.id = n.about_id and l.type_id = ${types.sell} and l.price < (n.data->>'from')::numeric and ${isOfferedTo('n.user_id')}`,
  repeatHours: 24,
  delivery: priceDelivery,
  text: (notification, { t }) => {
    const { listing_id, listing_title, from, to } = priceDropOf(notification)
    return {
      title: t('“{title}” is cheaper now', { title: listing_title }),
      body: t('It costs {to} instead of {from}. You have asked about it.', {
        to: t.money(to),
        from: t.money(from),
      }),
      label: t('See the listing'),
      path: `/listings/${listing_id}`,
    }
  },
})

function priceDropOf({ price_drop }: Notification) {
  if (!price_drop) throw new Error('The notification has no price')
  return price_drop
}
