import type { Feature } from '#server/feature.ts'
import { registerListingJobs } from './jobs.ts'
import { listingRoutes } from './routes.ts'
import { listingSubscribers } from './subscribers.ts'

export const listingsFeature: Feature = {
  routes: listingRoutes,
  jobs: registerListingJobs,
  subscribers: listingSubscribers,
}
