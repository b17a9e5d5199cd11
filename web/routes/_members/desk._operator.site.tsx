import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchSiteSettings } from '#web/features/desk/desk-queries.ts'
import { SiteScreen } from '#web/features/desk/site-screen.tsx'

export const Route = createFileRoute('/_members/desk/_operator/site')({
  loader: ({ context }) => prefetchSiteSettings(context.queryClient),
  staticData: { title: msg`Settings of the site` },
  component: SiteScreen,
})
