import type { Feature } from '#server/feature.ts'
import { registerTradeJobs } from './jobs.ts'
import { stepNotifications } from './notifications.ts'
import { tradeRoutes } from './routes.ts'
import { tradeSubscribers } from './subscribers.ts'

export const tradesFeature = {
  routes: tradeRoutes,
  jobs: registerTradeJobs,
  subscribers: tradeSubscribers,
  notifications: stepNotifications,
} satisfies Feature<string>
