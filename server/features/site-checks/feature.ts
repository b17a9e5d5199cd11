import type { Feature } from '#server/feature.ts'
import { siteCheckRoutes } from './routes.ts'

export const siteChecksFeature: Feature = { routes: siteCheckRoutes }
