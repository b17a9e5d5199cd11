import type { AppContext } from '#web/app-context.ts'
import { subscribeToFriends } from '#web/features/friends/live-friends.ts'
import { subscribeToMessages } from '#web/features/messages/live-messages.ts'
import type { Outbox } from '#web/features/messages/outbox.ts'
import { subscribeToNotifications } from '#web/features/notifications/live-notifications.ts'

/** Subscribes to everything that the server publishes. Returns how to stop. */
export function subscribeToRealtime(app: AppContext, outbox: Outbox): () => void {
  const stops = [
    subscribeToMessages(app, outbox),
    subscribeToFriends(app),
    subscribeToNotifications(app),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
