import { countUnreadNotifications, listNotifications, readNotifications } from '#contract/notifications.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { markRead, notificationsOf } from './notifications.ts'
import { countUnread } from './queries.ts'

export function notificationRoutes(app: App, { db }: Deps) {
  route(app, listNotifications, ({ member, query }) => notificationsOf(db, member.id, query))
  route(app, countUnreadNotifications, ({ member }) => countUnread(db, member.id))
  route(app, readNotifications, ({ member, body }) => markRead(db, member.id, body))
}
