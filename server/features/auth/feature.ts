import type { Feature } from '#server/feature.ts'
import { registerAuthJobs } from './jobs.ts'
import { authRoutes } from './routes.ts'
import { authSubscribers } from './subscribers.ts'

export const authFeature: Feature = {
  routes: authRoutes,
  jobs: registerAuthJobs,
  subscribers: authSubscribers,
}
