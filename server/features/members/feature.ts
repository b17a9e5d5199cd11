import type { Feature } from '#server/feature.ts'
import { registerMemberJobs } from './jobs.ts'
import { memberRoutes } from './routes.ts'

export const membersFeature: Feature = {
  routes: memberRoutes,
  jobs: registerMemberJobs,
}
