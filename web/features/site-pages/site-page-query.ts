import { getSitePage, type SitePageName } from '#contract/site-pages.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** Defines the query of a page with a text of the operator. */
export function sitePageQuery(name: SitePageName) {
  return endpointQuery(['site-page', name], getSitePage, { params: { name } })
}
