import { countUnreadNotifications, listNotifications, readNotifications } from '#contract/notifications.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { markRead, notificationsOf } from './notifications.ts'
import type { Hub } from './sending.ts'

export function notificationRoutes(app: App, { db }: Deps, hub: Hub) {
  route(app, listNotifications, ({ member, query }) => notificationsOf(db, hub, member.id, query))
  route(app, countUnreadNotifications, ({ member }) => hub.queries.countUnread(db, member.id))
  route(app, readNotifications, ({ member, body }) => markRead(db, hub, member.id, body))
}
