import type { Deps } from '#server/deps.ts'
import { deleteEndingNotifications } from '#server/features/notifications/notifications.ts'

export function listingReminderSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('listing_deleted', (tx, listing) => deleteEndingNotifications(tx, [listing]))
}
