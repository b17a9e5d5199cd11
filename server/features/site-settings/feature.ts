import type { Feature } from '#server/feature.ts'
import { siteSettingsRoutes } from './routes.ts'

export const siteSettingsFeature: Feature = { routes: siteSettingsRoutes }
