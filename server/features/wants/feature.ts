import type { Feature } from '#server/feature.ts'
import { registerWantJobs } from './jobs.ts'

export const wantsFeature: Feature = {
  jobs: registerWantJobs,
}
