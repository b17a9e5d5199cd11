import type { Feature } from '#server/feature.ts'
import { registerListingReminderJobs } from './jobs.ts'
import { listingEnding } from './notifications.ts'
import { listingReminderRoutes } from './routes.ts'

export const listingRemindersFeature = {
  routes: listingReminderRoutes,
  jobs: registerListingReminderJobs,
  notifications: [listingEnding],
} satisfies Feature<string>
