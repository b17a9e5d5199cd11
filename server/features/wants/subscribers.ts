import type { Deps } from '#server/deps.ts'
import { updateWantPlaces } from './queries.ts'

export function wantSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('member_moved', (tx, { user_id, postal_code_id }) =>
    updateWantPlaces(tx, user_id, postal_code_id),
  )
}
