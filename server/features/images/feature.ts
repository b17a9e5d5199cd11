import type { Feature } from '#server/feature.ts'
import { registerImageJobs } from './jobs.ts'
import { imageRoutes } from './routes.ts'

export const imagesFeature: Feature = {
  routes: imageRoutes,
  jobs: registerImageJobs,
}
