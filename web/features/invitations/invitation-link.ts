import type { QueryClient } from '@tanstack/react-query'
import { getInvitationLink, getInviter, replaceInvitationLink } from '#contract/invitations.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** The query of the member's own profile link, which carries an invitation. */
export const invitationLinkQuery = endpointQuery(
  ['invitation-link'],
  getInvitationLink,
  {},
  { staleTime: 60_000 },
)

/** Ends the member's link and stores the new one. */
export async function replaceLink(client: QueryClient) {
  client.setQueryData(invitationLinkQuery.queryKey, await call(client, replaceInvitationLink))
}

/** Defines the query of the member whose link carries this invitation. */
export function inviterQuery(invite: string) {
  return endpointQuery(['inviter', invite], getInviter, { query: { invite } })
}

/** Returns whether `inviterQuery` has failed because the invitation is not valid, or too long for one. */
export function isRefusedInvitation(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.status === 404 || failure.status === 422)
}
