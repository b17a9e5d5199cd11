import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { SitePageName } from '#contract/site-pages.ts'
import { language } from '#web/i18n/i18n.ts'
import text from '#web/styles/text.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { SitePageLinks } from './site-page-links.tsx'
import { sitePageQuery } from './site-page-query.ts'
import css from './site-page-screen.module.css'
import { SitePageText } from './site-page-text.tsx'

/** A page with a text that the operator writes in Markdown. */
export function SitePageScreen({ name }: { name: SitePageName }) {
  const { data: page, isError, refetch } = useQuery(sitePageQuery(name))
  return (
    <AuthLayout wide>
      <PageHead title={page?.title ?? '\u00a0'} />
      {page === undefined &&
        (isError ? <ErrorState text={t`Failed to load data`} onRetry={refetch} /> : <Loading />)}
      {page !== undefined && page.language !== language() && (
        <p className={text.muted}>{t`This page is in English only.`}</p>
      )}
      {page !== undefined && <SitePageText page={page} />}
      <nav className={css.others} aria-label={t`About this site`}>
        <SitePageLinks />
      </nav>
    </AuthLayout>
  )
}
