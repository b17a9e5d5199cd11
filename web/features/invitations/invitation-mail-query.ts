import { previewInvitation } from '#contract/invitations.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** The query of the preview of the mail that invites a neighbor. */
export const invitationMailQuery = endpointQuery(['invitation'], previewInvitation, {})
