import type { Feature } from '#server/feature.ts'
import { registerRegistrationJobs } from './jobs.ts'
import { registrationRoutes } from './routes.ts'

export const registrationsFeature: Feature = { routes: registrationRoutes, jobs: registerRegistrationJobs }
