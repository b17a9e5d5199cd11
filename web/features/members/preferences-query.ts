import { getPreferences } from '#contract/profile.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** The query of the member's mail preferences. */
export const preferencesQuery = endpointQuery(['preferences'], getPreferences, {})
