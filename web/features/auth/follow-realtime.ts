import { followFriends } from '#web/features/friends/follow-friends.ts'
import { followMessages } from '#web/features/messages/live-messages.ts'
import { followNotifications } from '#web/features/notifications/live-notifications.ts'
import { followPush } from '#web/features/push/push.ts'

/** Everything that is kept as the server tells it, and what ends with the login; returns how to stop. */
export function followRealtime(): () => void {
  const stops = [followMessages(), followFriends(), followNotifications(), followPush()]
  return () => {
    for (const stop of stops) stop()
  }
}
