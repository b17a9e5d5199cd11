import type { AppContext } from '#web/context/app-context.ts'
import { subscribeToFriends } from '#web/features/friends/live-friends.ts'
import { subscribeToMessages } from '#web/features/messages/live-messages.ts'
import type { Outbox } from '#web/features/messages/outbox.ts'
import { subscribeToNotifications } from '#web/features/notifications/live-notifications.ts'
import { answerWorker } from '#web/features/push/answer-worker.ts'
import { subscribeToTrades } from '#web/features/trades/trade-events.ts'
import { sendTimeZone } from './send-time-zone.ts'

/** Subscribes to all events of the server, answers the service worker and sends the time zone. Returns a function that unsubscribes. */
export function subscribeToRealtime(app: AppContext, outbox: Outbox): () => void {
  const stops = [
    subscribeToMessages(app, outbox),
    subscribeToFriends(app),
    subscribeToNotifications(app),
    subscribeToTrades(app),
    answerWorker(),
  ]
  void sendTimeZone(app)
  return () => {
    for (const stop of stops) stop()
  }
}
