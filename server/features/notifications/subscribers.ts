import type { Deps } from '#server/deps.ts'
import { reschedule } from './scheduling.ts'
import type { Hub } from './sending.ts'

export function notificationSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>, hub: Hub) {
  events.subscribe('preferences_changed', async (tx, change) => {
    for (const delivery of await reschedule({ jobs }, hub, tx, change))
      await delivery.forget?.(tx, change.user_id)
  })
}
