import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/tables.ts'
import { findRingsJob } from './jobs.ts'
import { listOpenMatches, listOpenMatchesOfGiver, listOpenMatchesOfListing } from './queries.ts'

/** The maximum number of matches of one event that start a search for rings. */
const maxMatches = 50

/** The fields of a listing that can open it to rings. */
const ringFields = ['type_id', 'state_id', 'is_public', 'is_active', 'open_to_rings', 'expires_at']

/** Searches for rings when one of their conditions begins to hold. When one ends, `suggestedRings` leaves the ring out. */
export function ringSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>) {
  const searchOfListing = async (tx: Tx, listing_id: number) =>
    jobs.addAll(tx, findRingsJob, await listOpenMatchesOfListing(tx, listing_id, maxMatches))
  // A member gives one listing in each of their rings.
  const searchOfMember = async (tx: Tx, user_id: number) =>
    jobs.addAll(tx, findRingsJob, await listOpenMatchesOfGiver(tx, user_id, maxMatches))

  events.subscribe('matches_found', async (tx, { matches }) => {
    await jobs.addAll(tx, findRingsJob, await listOpenMatches(tx, matches, maxMatches))
  })
  events.subscribe('listing_changed', async (tx, { listing_id, changed }) => {
    if (changed.some((field) => ringFields.includes(field))) await searchOfListing(tx, listing_id)
  })
  events.subscribe('listing_shown', (tx, { listing_id }) => searchOfListing(tx, listing_id))
  events.subscribe('member_unsuspended', (tx, { user_id }) => searchOfMember(tx, user_id))
  events.subscribe('members_unblocked', (tx, { blocker_id }) => searchOfMember(tx, blocker_id))
  events.subscribe('member_moved', (tx, { user_id }) => searchOfMember(tx, user_id))
  events.subscribe('preferences_changed', async (tx, { user_id, changed }) => {
    if (changed.includes('match_radius')) await searchOfMember(tx, user_id)
  })
}
