import type { AppContext } from '#web/context/app-context.ts'
import { listingKey, oneListingKey } from '#web/features/listings/listing-key.ts'
import type { RealtimeSocket } from '#web/realtime/socket.ts'
import {
  addMessage,
  conversationQuery,
  invalidateThreads,
  markMessagesRead,
  resyncConversations,
} from './message-queries.ts'
import type { Outbox } from './outbox.ts'
import { syncWithdrawn } from './withdrawn-messages.ts'

/** Collects the events of a moment in one refetch of the list. */
const invalidateDelayMs = 150

/** Applies the events of messages to the query cache, and sends the unsent messages after each connect. */
export function subscribeToMessages(
  { queryClient, login }: Pick<AppContext, 'queryClient' | 'login'>,
  socket: RealtimeSocket,
  outbox: Outbox,
) {
  let scheduled = false
  let synced = Promise.resolve()

  function invalidateSoon() {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      void invalidateThreads(queryClient)
    }, invalidateDelayMs)
  }

  function forgetWithdrawn() {
    // One after the other: a request that is on its way may have been answered before the event.
    synced = synced
      .then(() => syncWithdrawn({ queryClient, login }))
      .catch((failure) => console.info('Withdrawn messages were not removed:', failure))
  }

  function resync() {
    resyncConversations(queryClient)
    forgetWithdrawn()
    void queryClient.invalidateQueries({ queryKey: oneListingKey })
    invalidateSoon()
  }

  socket.on('new_message', (message) => {
    const own = message.sender_id === login.get()?.user.id
    addMessage(queryClient, own ? message.receiver_id : message.sender_id, message)
    if (own) outbox.discard(message.client_id)
    invalidateSoon()
  })
  socket.on('thread_read', ({ reader_id, user_id, last_read_id }) => {
    const own = reader_id === login.get()?.user.id
    markMessagesRead(queryClient, own ? user_id : reader_id, reader_id, last_read_id)
    invalidateSoon()
  })
  socket.on('conversation_changed', ({ user_id }) => {
    void queryClient.resetQueries(conversationQuery(user_id))
    forgetWithdrawn()
    invalidateSoon()
  })
  socket.on(
    'listing_changed',
    ({ listing_id }) => void queryClient.invalidateQueries({ queryKey: listingKey(String(listing_id)) }),
  )
  socket.on('connect', resync)
  socket.on('missed', resync)
  socket.on('connect', outbox.resume)
}
