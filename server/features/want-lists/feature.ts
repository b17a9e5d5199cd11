import type { Feature } from '#server/feature.ts'
import { wantRoutes } from './routes.ts'

export const wantListsFeature: Feature = {
  routes: wantRoutes,
}
