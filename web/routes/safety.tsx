import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { sitePageQuery } from '#web/features/site-pages/site-page-query.ts'
import { SitePageScreen } from '#web/features/site-pages/site-page-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/safety')({
  ssr: ssrForAnyone,
  loader: ({ context }) => void context.queryClient.prefetchQuery(sitePageQuery('safety')),
  staticData: { title: msg`Meeting safely` },
  component: () => <SitePageScreen name="safety" />,
})
