import type { AnyRouter } from '@tanstack/react-router'
import { RouterServer } from '@tanstack/react-router/ssr/server'
import { createStartHandler, defaultRenderHandler } from '@tanstack/react-start/server'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { formatTag } from '#contract/languages.ts'
import type { PageRequest } from '#web/context/page-request.ts'
import { pageRequest } from '#web/context/server-context.ts'
import { readCatalogFiles } from '#web/i18n/catalog-files.ts'
import { catalogsOf, language, loadCatalogs, readLocaleWith } from '#web/i18n/i18n.ts'
import { readRegionWith } from '#web/i18n/region.ts'
import { takeScripts } from '#web/page-scripts.ts'

const catalogFiles = readCatalogFiles()
readLocaleWith(() => formatTag(pageRequest().language, pageRequest().site.region.country))
readRegionWith(() => pageRequest().site.region)

const handler = createStartHandler(async (options) => {
  const { router } = options
  const { queryClient } = router.options.context
  try {
    const failed = router.stores.matches.get().find(({ status }) => status === 'error')
    if (failed) throw failed.error
    const isMember = pageRequest().member !== undefined
    await loadCatalogs(isMember)
    const catalogs = catalogsOf(isMember).flatMap((name) => catalogFiles.get(`${language()}/${name}`) ?? [])
    const scripts = [...takeScripts(router), ...catalogs]
    if (router.stores.location.get().pathname === '/') return renderStatic(router)
    router.update({ context: { ...router.options.context, scripts } })
    return await defaultRenderHandler(options)
  } finally {
    // Queries that nobody observes hold timers.
    queryClient.clear()
  }
})

/** Renders the landing page, which is never hydrated: without the router's scripts and its state. */
function renderStatic(router: AnyRouter) {
  return new Response(`<!DOCTYPE html>${renderToStaticMarkup(createElement(RouterServer, { router }))}`)
}

/**
 * Renders the page at a URL. Throws the error of a guard or loader. A screen that throws is left to the browser by React; any other error
 * of React is written to the console and answered with 500.
 */
export async function renderPage(request: Request, page: PageRequest): Promise<Response> {
  const response = await handler(request, { context: { page } })
  response.headers.set('content-language', page.language)
  return response
}
