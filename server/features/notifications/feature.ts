import type { Feature } from '#server/feature.ts'
import { registerNotificationJobs } from './jobs.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSubscribers } from './subscribers.ts'

export const notificationsFeature: Feature = {
  routes: notificationRoutes,
  jobs: registerNotificationJobs,
  subscribers: notificationSubscribers,
}
