import { msg } from '@lingui/core/macro'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { errorText } from '#web/api/api-error.ts'
import type { AppContext } from '#web/context/app-context.ts'
import { inviterQuery, isRefusedInvitation } from '#web/features/invitations/invitation-link.ts'
import { parseInviteSearch } from '#web/features/invitations/invite-search.ts'
import { InvitedNotLoaded, InvitedScreen, InviteRefused } from '#web/features/invitations/invited-screen.tsx'
import { ssrForGuest } from './-ssr.ts'

/** The page of an invitation link. `membersOnly` redirects here from the profile in the link. */
export const Route = createFileRoute('/invited')({
  ssr: ssrForGuest,
  validateSearch: parseInviteSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { invite = '' } }) => loadInviter(context, invite),
  staticData: { title: msg`Invitation` },
  component: InvitedScreen,
  errorComponent: InvitedNotLoaded,
  notFoundComponent: ({ data }) => <InviteRefused reason={String(data)} />,
})

/** Loads the inviter. Redirects a member to their profile. Answers 404 with the reason for an invitation that is not valid. */
async function loadInviter({ queryClient, login }: AppContext, invite: string) {
  const inviter = await queryClient.ensureQueryData(inviterQuery(invite)).catch((failure: unknown) => {
    throw isRefusedInvitation(failure) ? notFound({ data: errorText(failure) }) : failure
  })
  if (login.get() !== null)
    throw redirect({ to: '/seller/$id', params: { id: String(inviter.id) }, replace: true })
}
