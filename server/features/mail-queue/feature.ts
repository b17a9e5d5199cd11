import type { Feature } from '#server/feature.ts'
import { registerMailQueueJobs } from './jobs.ts'
import { mailQueueRoutes } from './routes.ts'

export const mailQueueFeature: Feature = { routes: mailQueueRoutes, jobs: registerMailQueueJobs }
