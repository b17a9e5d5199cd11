import { queryOptions } from '@tanstack/react-query'
import { countUnreadNotifications, readNotifications } from '#contract/notifications.ts'
import { call } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'

/** How many notifications the member has not read. */
export const unreadNotificationsQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: ({ signal }) => call(countUnreadNotifications, {}, { signal }),
})

/** The member has seen what there is to know of their friends. */
export async function readOfFriends() {
  const { updated } = await call(readNotifications, {
    body: { kinds: ['friend_request', 'friend_accepted'] },
  })
  if (updated > 0) await queryClient.invalidateQueries({ queryKey: ['notifications'] })
}
