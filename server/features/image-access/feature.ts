import type { Feature } from '#server/feature.ts'
import { imageAccessRoutes } from './routes.ts'

export const imageAccessFeature: Feature = {
  routes: imageAccessRoutes,
}
