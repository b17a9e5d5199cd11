import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getInvitationLink, getInviter, replaceInvitationLink } from '#contract/invitations.ts'
import { call } from '#web/api/client.ts'

/** The query of the member's own profile link, which carries an invitation. */
export const invitationLinkQuery = queryOptions({
  queryKey: ['invitation-link'],
  queryFn: ({ client, signal }) => call(client, getInvitationLink, {}, { signal }),
  staleTime: 60_000,
})

/** Ends the member's link and stores the new one. */
export async function replaceLink(client: QueryClient) {
  client.setQueryData(invitationLinkQuery.queryKey, await call(client, replaceInvitationLink))
}

/** Defines the query of the member whose link carries this invitation. */
export function inviterQuery(invite: string) {
  return queryOptions({
    queryKey: ['inviter', invite],
    queryFn: ({ client, signal }) => call(client, getInviter, { query: { invite } }, { signal }),
  })
}
