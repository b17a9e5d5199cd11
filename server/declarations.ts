import { friendNotifications } from './features/friends/notifications.ts'
import { listingEnding } from './features/listing-reminders/notifications.ts'
import { matchNotifications } from './features/matches/notifications.ts'
import { messageDelivery } from './features/messages/notifications.ts'
import { priceDropped } from './features/messages/price-drops.ts'
import { declarationsOf } from './features/notifications/kinds.ts'
import { createHub } from './features/notifications/notifications.ts'
import { ringFound } from './features/rings/notifications.ts'
import { stepNotifications } from './features/trades/notifications.ts'

/** The hub with the kinds of notifications of all features. */
export const hub = createHub(
  declarationsOf(
    [
      ...friendNotifications,
      ...matchNotifications,
      listingEnding,
      priceDropped,
      ringFound,
      ...stepNotifications,
    ],
    [messageDelivery],
  ),
)
