import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { sitePageQuery } from '#web/features/site-pages/site-page-query.ts'
import { SitePageScreen } from '#web/features/site-pages/site-page-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/privacy')({
  ssr: ssrForAnyone,
  loader: ({ context }) => void context.queryClient.prefetchQuery(sitePageQuery('privacy')),
  staticData: { title: msg`Privacy` },
  component: () => <SitePageScreen name="privacy" />,
})
