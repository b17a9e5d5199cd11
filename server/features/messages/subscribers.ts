import type { Deps, Publisher } from '#server/deps.ts'
import { notify } from '#server/features/notifications/notifications.ts'
import { priceDropped } from './price-drops.ts'
import { deleteConversationsWithFormer, listAskers } from './queries.ts'

export function messageSubscribers(deps: Publisher & Pick<Deps, 'events' | 'jobs'>) {
  const { events, jobs } = deps
  events.subscribe('price_dropped', async (tx, { listing_id, owner_id, from }) => {
    const askers = await listAskers(tx, listing_id, owner_id)
    const told = askers.map((user_id) => ({ user_id, from_id: owner_id, data: { listing_id, from } }))
    await notify(deps, tx, priceDropped, told)
  })
  events.subscribe('member_deleted', (tx, { user_id }) =>
    deleteConversationsWithFormer({ jobs }, tx, user_id),
  )
}
