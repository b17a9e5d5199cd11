import type { Deps, Publisher } from '#server/deps.ts'
import { matchWantWithListings } from './finding.ts'
import { matchFriends, matchListing, matchMember } from './job-kinds.ts'
import { changeSwaps, deleteMatches, endMatches } from './swaps.ts'

/** The fields of a listing that no want asks for. */
const unmatchedFields = ['price', 'quantity', 'quantity_left', 'unit']

export function matchSubscribers(deps: Publisher & Pick<Deps, 'events' | 'jobs'>) {
  const { events, jobs } = deps

  events.subscribe('listing_posted', (tx, { owner_id, listing_id }) =>
    jobs.add(tx, matchListing, { user_id: owner_id, listing_id }),
  )
  events.subscribe('listing_changed', async (tx, { owner_id, listing_id, changed }) => {
    if (changed.some((field) => !unmatchedFields.includes(field)))
      await jobs.add(tx, matchListing, { user_id: owner_id, listing_id })
  })
  events.subscribe('listings_ended', (tx, { listings }) =>
    jobs.addAll(
      tx,
      matchListing,
      listings.map(({ owner_id, listing_id }) => ({ user_id: owner_id, listing_id })),
    ),
  )
  // Its matches are swaps only while the other side may see it.
  for (const event of ['listing_hidden', 'listing_shown'] as const)
    events.subscribe(event, (tx, { listing_id, owner_id }) =>
      jobs.add(tx, matchListing, { user_id: owner_id, listing_id }),
    )
  events.subscribe('listing_deleted', (tx, { listing_id }) =>
    deleteMatches(events, tx, 'listing', [listing_id]),
  )

  events.subscribe('wants_posted', async (tx, { want_ids }) => {
    for (const want_id of want_ids) await matchWantWithListings(deps, tx, { want_id, steps: 0 })
  })
  events.subscribe('wants_renamed', async (tx, { want_ids }) => {
    for (const want_id of want_ids) {
      await endMatches(events, tx, want_id)
      await matchWantWithListings(deps, tx, { want_id, steps: 0 })
    }
  })
  events.subscribe('wants_reindexed', async (tx, { want_ids }) => {
    for (const want_id of want_ids) await matchWantWithListings(deps, tx, { want_id, quiet: true })
  })
  events.subscribe('wants_deleted', (tx, { want_ids }) => deleteMatches(events, tx, 'want', want_ids))

  events.subscribe('friendship_begun', (tx, { user_id, friend_id }) =>
    jobs.add(tx, matchFriends, { user_id, friend_id }),
  )
  events.subscribe('friendship_ended', async (tx, { user_id, friend_id }) => {
    await changeSwaps(events, tx, user_id, [friend_id])
  })
  events.subscribe('members_unblocked', async (tx, { blocker_id, blocked_id }) => {
    await changeSwaps(events, tx, blocker_id, [blocked_id])
  })
  for (const event of ['member_moved', 'member_unsuspended'] as const)
    events.subscribe(event, (tx, { user_id }) => jobs.add(tx, matchMember, { user_id }))
  events.subscribe('preferences_changed', async (tx, { user_id, changed }) => {
    if (changed.includes('match_radius')) await jobs.add(tx, matchMember, { user_id })
  })
}
