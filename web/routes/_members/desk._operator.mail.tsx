import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchMailQueue } from '#web/features/desk/desk-queries.ts'
import { MailScreen } from '#web/features/desk/mail-screen.tsx'

export const Route = createFileRoute('/_members/desk/_operator/mail')({
  loader: ({ context }) => prefetchMailQueue(context.queryClient),
  staticData: { title: msg`Mail and jobs` },
  component: MailScreen,
})
