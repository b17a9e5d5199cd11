import type { Feature } from '#server/feature.ts'
import { registerReportJobs } from './jobs.ts'
import { reportRoutes } from './routes.ts'
import { reportSubscribers } from './subscribers.ts'

export const reportsFeature: Feature = {
  routes: reportRoutes,
  jobs: registerReportJobs,
  subscribers: reportSubscribers,
}
