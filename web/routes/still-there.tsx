import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseMailedToken } from '#web/features/auth/mailed-token.ts'
import { reminderQuery } from '#web/features/listing-reminders/reminder-query.ts'
import { StillThereScreen } from '#web/features/listing-reminders/still-there-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/still-there')({
  ssr: ssrForAnyone,
  validateSearch: parseMailedToken,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context, deps: { token } }) => {
    if (token !== undefined) void context.queryClient.prefetchQuery(reminderQuery(token))
  },
  staticData: { title: msg`Still there?` },
  component: StillThereScreen,
})
