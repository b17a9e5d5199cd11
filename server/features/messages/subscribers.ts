import type { Deps, Publisher } from '#server/deps.ts'
import { notify } from '#server/features/notifications/notifications.ts'
import { afterCommit } from '#server/platform/db/database.ts'
import type { Tx } from '#server/tables.ts'
import { leaveConversations } from './leaving.ts'
import { priceDropped } from './price-drops.ts'
import { listAskers, type OwnedListing } from './queries.ts'

/** Tells the owners of changed listings, and the members who have written to them about these, to fetch them again. */
async function publishChanges(
  { realtime }: Publisher,
  tx: Tx,
  listings: readonly OwnedListing[],
  tellsOwners = true,
) {
  const askers = await listAskers(tx, listings)
  afterCommit(tx, () => {
    for (const { listing_id, owner_id } of listings) {
      const asked = askers.filter((asker) => asker.listing_id === listing_id)
      realtime.publish(
        [...(tellsOwners ? [owner_id] : []), ...asked.map(({ sender_id }) => sender_id)],
        'listing_changed',
        {
          listing_id,
        },
      )
    }
  })
}

export function messageSubscribers(deps: Publisher & Pick<Deps, 'events' | 'jobs'>) {
  const { events } = deps
  events.subscribe('price_dropped', async (tx, { listing_id, owner_id, from }) => {
    const askers = await listAskers(tx, [{ listing_id, owner_id }])
    const data = { listing_id, from }
    const told = askers.map(({ sender_id }) => ({ user_id: sender_id, from_id: owner_id, data }))
    await notify(deps, tx, priceDropped, told)
  })
  for (const event of ['listing_changed', 'listing_hidden', 'listing_shown'] as const)
    events.subscribe(event, (tx, listing) => publishChanges(deps, tx, [listing]))
  // The owner's screen leaves a deleted listing by itself.
  events.subscribe('listing_deleted', async (tx, listing) => publishChanges(deps, tx, [listing], false))
  events.subscribe('listings_ended', (tx, { listings }) => publishChanges(deps, tx, listings))
  events.subscribe('member_deleted', (tx, { user_id }) => leaveConversations(deps, tx, user_id))
}
