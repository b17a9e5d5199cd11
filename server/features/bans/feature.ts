import type { Feature } from '#server/feature.ts'
import { registerBanJobs } from './jobs.ts'

export const bansFeature: Feature = { jobs: registerBanJobs }
