import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { isNotFound } from '#web/api/api-error.ts'
import { inviterQuery } from '#web/features/invitations/invitation-link.ts'
import {
  guestsWithInvitation,
  parseInviterId,
  parseInviteSearch,
} from '#web/features/invitations/invite-search.ts'
import { InvitedNotLoaded, InvitedScreen } from '#web/features/invitations/invited-screen.tsx'
import { ssrForGuest } from './-ssr.ts'

/** The invitation as guests see it. `membersOnly` redirects them here from the profile in the link. */
export const Route = createFileRoute('/invited')({
  ssr: ssrForGuest,
  validateSearch: parseInviteSearch,
  beforeLoad: guestsWithInvitation,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { invite = '' } }) => loadInviter(context.queryClient, invite),
  staticData: { title: 'You are invited' },
  component: InvitedScreen,
  errorComponent: InvitedNotLoaded,
})

/** Loads the inviter. Redirects to the login if the invitation is not valid. */
async function loadInviter(client: QueryClient, invite: string) {
  try {
    await client.ensureQueryData(inviterQuery(invite))
  } catch (failure) {
    if (!isNotFound(failure)) throw failure
    throw redirect({ to: '/login', search: { next: `/seller/${parseInviterId(invite)}` }, replace: true })
  }
}
