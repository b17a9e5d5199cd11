import type { Feature } from '#server/feature.ts'
import { sitePageRoutes } from './routes.ts'

export const sitePagesFeature: Feature = {
  routes: sitePageRoutes,
}
