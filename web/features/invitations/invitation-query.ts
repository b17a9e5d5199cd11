import { queryOptions } from '@tanstack/react-query'
import { previewInvitation } from '#contract/invitations.ts'
import { call } from '#web/api/client.ts'

export const invitationQuery = queryOptions({
  queryKey: ['invitation'],
  queryFn: ({ client, signal }) => call(client, previewInvitation, {}, { signal }),
})
