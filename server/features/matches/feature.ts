import type { Feature } from '#server/feature.ts'
import { registerMatchJobs } from './jobs.ts'
import { matchNotifications } from './notifications.ts'
import { matchRoutes } from './routes.ts'
import { matchSubscribers } from './subscribers.ts'

export const matchesFeature = {
  routes: matchRoutes,
  jobs: registerMatchJobs,
  subscribers: matchSubscribers,
  notifications: matchNotifications,
} satisfies Feature<string>
