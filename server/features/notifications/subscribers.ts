import type { Deps } from '#server/deps.ts'
import { deleteEndingNotifications, updateOneRead } from './queries.ts'

export function notificationSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('friendship_begun', (tx, { user_id, friend_id }) =>
    updateOneRead(tx, { user_id, from_id: friend_id, kind: 'friend_request' }),
  )
  events.subscribe('listing_deleted', (tx, listing) => deleteEndingNotifications(tx, [listing]))
}
