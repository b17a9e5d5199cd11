import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchFigures } from '#web/features/desk/desk-queries.ts'
import { TodayScreen } from '#web/features/desk/today-screen.tsx'

export const Route = createFileRoute('/_members/desk/today')({
  loader: ({ context }) => prefetchFigures(context.queryClient),
  staticData: { title: msg`Today at the site` },
  component: TodayScreen,
})
