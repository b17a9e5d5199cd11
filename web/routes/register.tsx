import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import type { AppContext } from '#web/context/app-context.ts'
import { parseRedirectTarget } from '#web/features/auth/redirect-target.ts'
import { RegisterScreen } from '#web/features/auth/register-screen.tsx'
import { inviterQuery, isRefusedInvitation } from '#web/features/invitations/invitation-link.ts'
import { guestsOnly } from './-guards.ts'
import { ssrForGuest } from './-ssr.ts'

export const Route = createFileRoute('/register')({
  ssr: ssrForGuest,
  validateSearch: parseRedirectTarget,
  beforeLoad: guestsOnly,
  loaderDeps: ({ search: { invitation } }) => ({ invitation }),
  loader: async ({ context, deps }) => ({ needsInvitation: await needsInvitation(context, deps.invitation) }),
  staticData: { title: msg`Register` },
  component: RegisterScreen,
})

/** Returns whether the site is by invitation and this one is not valid. If that is unknown, the registration tells. */
async function needsInvitation({ queryClient, site }: AppContext, invitation: string | undefined) {
  if (site.registration !== 'invitation') return false
  if (invitation === undefined) return true
  return queryClient.ensureQueryData(inviterQuery(invitation)).then(() => false, isRefusedInvitation)
}
