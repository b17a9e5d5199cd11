import type { Feature } from '#server/feature.ts'
import { registerMessageJobs } from './leaving.ts'
import { messageDelivery } from './notifications.ts'
import { priceDropped } from './price-drops.ts'
import { messageRoutes } from './routes.ts'
import { messageSubscribers } from './subscribers.ts'

export const messagesFeature = {
  routes: messageRoutes,
  jobs: registerMessageJobs,
  subscribers: messageSubscribers,
  notifications: [priceDropped],
  deliveries: [messageDelivery],
} satisfies Feature<string>
