import type { Feature } from '#server/feature.ts'
import { registerPushJobs } from './jobs.ts'
import { pushRoutes } from './routes.ts'

export const pushFeature: Feature = {
  routes: pushRoutes,
  jobs: registerPushJobs,
}
