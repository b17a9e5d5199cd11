import { getProfile } from '#contract/auth.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** The query of the member's own profile. */
export const profileQuery = endpointQuery(['profile'], getProfile, {})
