import { storedLogin } from '#web/features/auth/stored-login.ts'
import { hear } from '#web/realtime/connection.ts'
import { catchUpAll, keepMessage, renewThreads } from './message-queries.ts'
import { resume } from './outbox.ts'

/** Many messages in a moment ask for the list once. */
const restMs = 150
let renewing = false

function renewSoon() {
  if (renewing) return
  renewing = true
  setTimeout(() => {
    renewing = false
    void renewThreads()
  }, restMs)
}

function catchUp() {
  catchUpAll()
  renewSoon()
}

/** Brings what the server tells of messages into the query cache. Returns how to stop. */
export function followMessages(): () => void {
  const stops = [
    hear('new_message', (message) => {
      const own = message.sender_id === storedLogin()?.user.id
      keepMessage(own ? message.receiver_id : message.sender_id, message)
      renewSoon()
    }),
    hear('thread_read', renewSoon),
    hear('connected', catchUp),
    hear('missed', catchUp),
  ]
  resume()
  return () => {
    for (const stop of stops) stop()
  }
}
