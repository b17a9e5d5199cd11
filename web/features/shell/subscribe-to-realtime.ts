import type { AppContext } from '#web/context/app-context.ts'
import { subscribeToFriends } from '#web/features/friends/live-friends.ts'
import { subscribeToMessages } from '#web/features/messages/live-messages.ts'
import type { Outbox } from '#web/features/messages/outbox.ts'
import { subscribeToNotifications } from '#web/features/notifications/live-notifications.ts'
import { answerWorker } from '#web/features/push/answer-worker.ts'
import { subscribeToTrades } from '#web/features/trades/trade-events.ts'
import { createSocket } from '#web/realtime/socket.ts'
import { sendTimeZone } from './send-time-zone.ts'

/**
 * Connects the socket and applies all events of the server, answers the service worker and sends the time zone. Returns a function
 * that disconnects.
 */
export function subscribeToRealtime(app: AppContext, outbox: Outbox): () => void {
  const { socket, close } = createSocket(app.login)
  app.connection.use(socket)
  subscribeToMessages(app, socket, outbox)
  subscribeToFriends(app, socket)
  subscribeToNotifications(app, socket)
  subscribeToTrades(app, socket)
  socket.connect()
  const stopAnswering = answerWorker()
  void sendTimeZone(app)
  return () => {
    stopAnswering()
    close()
  }
}
