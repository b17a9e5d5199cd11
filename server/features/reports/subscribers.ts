import type { Subscriber } from '#server/deps.ts'
import { forgetMessages } from './queries.ts'
import { reportEqualTexts } from './reports.ts'

export function reportSubscribers({ events, jobs }: Subscriber) {
  events.subscribe('equal_texts_refused', (tx, refused) => reportEqualTexts({ jobs }, tx, refused))
  events.subscribe('messages_deleted', (tx, { message_ids }) => forgetMessages(tx, message_ids))
}
