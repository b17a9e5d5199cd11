import type { AppContext } from '#web/context/app-context.ts'
import { subscribeToFriends } from '#web/features/friends/live-friends.ts'
import { sendTimeZone } from '#web/features/members/send-time-zone.ts'
import { subscribeToMessages } from '#web/features/messages/live-messages.ts'
import type { Outbox } from '#web/features/messages/outbox.ts'
import { subscribeToNotifications } from '#web/features/notifications/live-notifications.ts'
import { answerWorker } from '#web/features/push/answer-worker.ts'
import { resumePush } from '#web/features/push/push.ts'
import { subscribeToTrades } from '#web/features/trades/trade-events.ts'
import { loadWithRetry } from '#web/realtime/load-with-retry.ts'

/**
 * Connects the socket and applies all events of the server, sends the unsent messages and the time zone, resumes pushes, and answers
 * the service worker. Returns a function that disconnects.
 */
export function subscribeToRealtime(app: AppContext, outbox: Outbox): () => void {
  const stops = [answerWorker()]
  void sendTimeZone(app)
  resumePush(app.queryClient).catch((failure) => console.info('Push was not resumed:', failure))
  outbox.resume()
  // In a script of its own, because a longer task would delay taps.
  const stopLoading = loadWithRetry(
    () => import('#web/realtime/socket.ts'),
    ({ createSocket }) => {
      const { socket, close } = createSocket(app.login)
      stops.push(close)
      app.connection.use(socket)
      subscribeToMessages(app, socket, outbox)
      subscribeToFriends(app, socket)
      subscribeToNotifications(app, socket)
      subscribeToTrades(app, socket)
      socket.connect()
    },
  )
  return () => {
    stopLoading()
    for (const stop of stops) stop()
  }
}
