import type { Deps } from '#server/deps.ts'
import { forgetMessages } from './queries.ts'

export function reportSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('messages_deleted', (tx, { message_ids }) => forgetMessages(tx, message_ids))
}
