import { createFileRoute } from '@tanstack/react-router'
import { ssrForAnyone } from '#web/features/auth/ssr.ts'
import { sitePageQuery } from '#web/features/site-pages/site-page-query.ts'
import { SitePageScreen } from '#web/features/site-pages/site-page-screen.tsx'

export const Route = createFileRoute('/terms')({
  ssr: ssrForAnyone,
  loader: ({ context }) => void context.queryClient.prefetchQuery(sitePageQuery('terms')),
  staticData: { title: 'Terms of use' },
  component: () => <SitePageScreen name="terms" />,
})
