import type { Feature } from '#server/feature.ts'
import { friendNotifications } from './notifications.ts'
import { friendRoutes } from './routes.ts'
import { friendSubscribers } from './subscribers.ts'

export const friendsFeature = {
  routes: friendRoutes,
  subscribers: friendSubscribers,
  notifications: friendNotifications,
} satisfies Feature<string>
