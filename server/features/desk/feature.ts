import type { Feature } from '#server/feature.ts'
import { deskRoutes } from './routes.ts'

export const deskFeature: Feature = { routes: deskRoutes }
