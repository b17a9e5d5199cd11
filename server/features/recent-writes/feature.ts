import type { Feature } from '#server/feature.ts'
import { registerRecentWriteJobs } from './jobs.ts'
import { recentWriteSubscribers } from './subscribers.ts'

export const recentWritesFeature: Feature = {
  jobs: registerRecentWriteJobs,
  subscribers: recentWriteSubscribers,
}
