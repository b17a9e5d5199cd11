import type { Deps } from '#server/deps.ts'
import { reschedule } from './scheduling.ts'
import type { Hub } from './sending.ts'

export function notificationSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>, hub: Hub) {
  events.subscribe('preferences_changed', (tx, change) => reschedule({ jobs }, hub, tx, change))
}
