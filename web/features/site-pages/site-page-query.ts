import { queryOptions } from '@tanstack/react-query'
import { getSitePage, type SitePageName } from '#contract/site-pages.ts'
import { call } from '#web/api/client.ts'

/** Defines the query of a page with a text of the operator. */
export function sitePageQuery(name: SitePageName) {
  return queryOptions({
    queryKey: ['site-page', name],
    queryFn: ({ client, signal }) => call(client, getSitePage, { params: { name } }, { signal }),
  })
}
