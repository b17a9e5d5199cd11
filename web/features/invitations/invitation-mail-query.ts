import { queryOptions } from '@tanstack/react-query'
import { previewInvitation } from '#contract/invitations.ts'
import { call } from '#web/api/client.ts'

/** The query of the preview of the mail that invites a neighbor. */
export const invitationMailQuery = queryOptions({
  queryKey: ['invitation'],
  queryFn: ({ client, signal }) => call(client, previewInvitation, {}, { signal }),
})
