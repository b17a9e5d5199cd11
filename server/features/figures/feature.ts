import type { Feature } from '#server/feature.ts'
import { registerFigureJobs } from './jobs.ts'
import { figureRoutes } from './routes.ts'

export const figuresFeature: Feature = { routes: figureRoutes, jobs: registerFigureJobs }
