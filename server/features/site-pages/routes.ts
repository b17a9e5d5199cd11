import { getSitePage, getSitePageSource, previewSitePage } from '#contract/site-pages.ts'
import type { Deps } from '#server/deps.ts'
import { type App, RouteResponse, route } from '#server/platform/http/route.ts'
import { readSitePage, renderSitePage, sourceOfSitePage } from './site-pages.ts'

export function sitePageRoutes(app: App, deps: Deps) {
  route(app, getSitePage, async ({ params, query, language }) => {
    const page = await readSitePage(deps, params.name, query.language ?? language)
    return new RouteResponse(page, { 'content-language': page.language, vary: 'accept-language' })
  })
  route(app, getSitePageSource, ({ params, query }) => sourceOfSitePage(deps, params.name, query.language))
  route(app, previewSitePage, async ({ params, query, body }) =>
    renderSitePage(deps, params.name, { text: body.text, language: query.language }),
  )
}
