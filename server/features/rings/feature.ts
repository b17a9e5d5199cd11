import type { Feature } from '#server/feature.ts'
import { registerRingJobs } from './jobs.ts'
import { ringFound } from './notifications.ts'
import { ringSubscribers } from './subscribers.ts'

export const ringsFeature = {
  jobs: registerRingJobs,
  subscribers: ringSubscribers,
  notifications: [ringFound],
} satisfies Feature<string>
