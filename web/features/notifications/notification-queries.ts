import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  countUnreadNotifications,
  listNotifications,
  type Notification,
  readNotifications,
} from '#contract/notifications.ts'
import { call, callPage } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'

const all = ['notifications'] as const

/** How many notifications the member has not read. */
export const unreadNotificationsQuery = queryOptions({
  queryKey: [...all, 'unread'],
  queryFn: ({ client, signal }) => call(client, countUnreadNotifications, {}, { signal }),
})

/** The member's notifications, newest first. */
export const notificationPagesQuery = infiniteListOptions(
  [...all, 'pages'],
  (client, cursor, signal) => callPage(client, listNotifications, { query: { cursor } }, { signal }),
  { staleTime: 0 },
)

export function invalidateNotifications(client: QueryClient) {
  return client.invalidateQueries({ queryKey: all })
}

/** The member has seen what there is to know of their friends. */
export async function readOfFriends(client: QueryClient) {
  const { updated } = await call(client, readNotifications, {
    body: { kinds: ['friend_request', 'friend_accepted'] },
  })
  if (updated > 0) await invalidateNotifications(client)
}

/** The member has seen them, up to this one. */
export async function readUpTo(client: QueryClient, up_to: number) {
  await call(client, readNotifications, { body: { up_to } })
  // A list that was asked for before would bring the old state back.
  await client.cancelQueries({ queryKey: notificationPagesQuery.queryKey })
  client.setQueryData(
    notificationPagesQuery.queryKey,
    (told) =>
      told && {
        ...told,
        pages: told.pages.map((page) => ({ ...page, items: page.items.map((one) => readIn(one, up_to)) })),
      },
  )
  await invalidateNotifications(client)
}

function readIn(one: Notification, up_to: number): Notification {
  return one.id <= up_to ? { ...one, read_at: one.read_at ?? new Date().toISOString() } : one
}
