import type { Deps } from '#server/deps.ts'
import { deleteConversationsWithFormer } from './queries.ts'

export function messageSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('member_deleted', (tx, { user_id }) => deleteConversationsWithFormer(tx, user_id))
}
