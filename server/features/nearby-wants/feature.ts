import type { Feature } from '#server/feature.ts'
import { registerNearbyWantJobs } from './jobs.ts'
import { nearbyWantRoutes } from './routes.ts'

export const nearbyWantsFeature: Feature = {
  routes: nearbyWantRoutes,
  jobs: registerNearbyWantJobs,
}
