import { getSitePage } from '#contract/site-pages.ts'
import type { Deps } from '#server/deps.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { readSitePage } from './site-pages.ts'

export function sitePageRoutes(app: App, { site, pagesDir }: Deps) {
  route(app, getSitePage, async ({ params, query, language }) => {
    const page = await readSitePage({ ...site.current(), pagesDir }, params.name, query.language ?? language)
    return new RouteResponse(page, { 'content-language': page.language, vary: 'accept-language' })
  })
}
