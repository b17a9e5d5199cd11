import type { Feature } from '#server/feature.ts'
import { messageDelivery } from './notifications.ts'
import { priceDropped } from './price-drops.ts'
import { messageRoutes } from './routes.ts'
import { messageSubscribers } from './subscribers.ts'

export const messagesFeature = {
  routes: messageRoutes,
  subscribers: messageSubscribers,
  notifications: [priceDropped],
  deliveries: [messageDelivery],
} satisfies Feature<string>
