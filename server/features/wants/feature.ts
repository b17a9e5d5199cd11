import type { Feature } from '#server/feature.ts'
import { registerWantJobs } from './jobs.ts'
import { wantSubscribers } from './subscribers.ts'

export const wantsFeature: Feature = {
  jobs: registerWantJobs,
  subscribers: wantSubscribers,
}
