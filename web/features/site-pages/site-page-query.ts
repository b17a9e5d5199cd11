import { isLanguage } from '#contract/languages.ts'
import { getSitePage, type SitePageName } from '#contract/site-pages.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { language } from '#web/i18n/i18n.ts'

/** Defines the query of a page with a text of the operator. */
export function sitePageQuery(name: SitePageName) {
  const shown = language()
  return endpointQuery(['site-page', name, shown], getSitePage, {
    params: { name },
    query: isLanguage(shown) ? { language: shown } : {},
  })
}
