import type { Feature } from '#server/feature.ts'
import { registerReportJobs } from './jobs.ts'
import { noticeOfDesk } from './notifications.ts'
import { reportRoutes } from './routes.ts'
import { reportSubscribers } from './subscribers.ts'

export const reportsFeature = {
  routes: reportRoutes,
  jobs: registerReportJobs,
  subscribers: reportSubscribers,
  notifications: [noticeOfDesk],
} satisfies Feature<string>
