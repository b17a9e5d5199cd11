import type { Deps } from '#server/deps.ts'
import { updatePostalCode } from './queries.ts'

export function listingSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('member_moved', (tx, { user_id, postal_code_id }) =>
    updatePostalCode(tx, user_id, postal_code_id),
  )
}
