import type { Deps } from '#server/deps.ts'
import { refold } from './folding-queries.ts'
import { updatePostalCode } from './queries.ts'

/** The fields that decide whether listings are equal and listed. */
const foldingFields = ['title', 'type_id', 'category_id', 'state_id', 'is_public', 'is_active', 'expires_at']

export function listingSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('member_moved', (tx, { user_id, postal_code_id }) =>
    updatePostalCode(tx, user_id, postal_code_id),
  )
  for (const event of ['listing_posted', 'listing_hidden', 'listing_shown'] as const)
    events.subscribe(event, async (tx, { listing_id }) => void (await refold(tx, [listing_id], [])))
  events.subscribe('listing_changed', async (tx, { listing_id, changed }) => {
    if (changed.some((field) => foldingFields.includes(field))) await refold(tx, [listing_id], [])
  })
  events.subscribe('listing_deleted', async (tx, { listing_id }) => {
    await refold(tx, [listing_id], [listing_id])
  })
  events.subscribe('listings_ended', async (tx, { listings }) => {
    const ids = listings.map(({ listing_id }) => listing_id)
    if (ids.length > 0) await refold(tx, ids, [])
  })
}
