import { getSitePage } from '#contract/site-pages.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { readSitePage } from './site-pages.ts'

export function sitePageRoutes(app: App, { site }: Deps) {
  route(app, getSitePage, ({ params }) => readSitePage(site, params.name))
}
