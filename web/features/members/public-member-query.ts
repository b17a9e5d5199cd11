import { getPublicMember } from '#contract/members.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { publicMemberKey } from './public-member-key.ts'

/** Defines the query of a member's public profile. */
export function publicMemberQuery(id: number) {
  return endpointQuery(publicMemberKey(id), getPublicMember, { params: { id } })
}
