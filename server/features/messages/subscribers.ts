import type { Deps } from '#server/deps.ts'
import { deleteConversationsWithFormer } from './queries.ts'

export function messageSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>) {
  events.subscribe('member_deleted', (tx, { user_id }) =>
    deleteConversationsWithFormer({ jobs }, tx, user_id),
  )
}
