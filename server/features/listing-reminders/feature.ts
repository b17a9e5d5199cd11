import type { Feature } from '#server/feature.ts'
import { registerListingReminderJobs } from './jobs.ts'
import { listingEnding } from './notifications.ts'
import { listingReminderRoutes } from './routes.ts'

export const listingRemindersFeature: Feature = {
  routes: listingReminderRoutes,
  jobs: registerListingReminderJobs,
  notifications: [listingEnding],
}
