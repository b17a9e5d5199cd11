import type { Deps } from '#server/deps.ts'
import { deleteEndingNotifications } from './queries.ts'

export function notificationSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('listing_deleted', (tx, listing) => deleteEndingNotifications(tx, [listing]))
}
