import type { Feature } from '#server/feature.ts'
import { exportRoutes } from './routes.ts'

export const exportFeature: Feature = {
  routes: exportRoutes,
}
