import { createFileRoute } from '@tanstack/react-router'
import { ssrForAnyone } from '#web/features/auth/ssr.ts'
import { sitePageQuery } from '#web/features/site-pages/site-page-query.ts'
import { SitePageScreen } from '#web/features/site-pages/site-page-screen.tsx'

export const Route = createFileRoute('/privacy')({
  ssr: ssrForAnyone,
  loader: ({ context }) => void context.queryClient.prefetchQuery(sitePageQuery('privacy')),
  staticData: { title: 'Privacy' },
  component: () => <SitePageScreen name="privacy" />,
})
