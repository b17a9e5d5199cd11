import { renewMatches } from '#web/features/matches/match-queries.ts'
import { hear } from '#web/realtime/connection.ts'
import { renewNotifications } from './notification-queries.ts'

/** Shows at once what the member is told, and what was found for them. Returns how to stop. */
export function followNotifications(): () => void {
  const renew = () => void Promise.all([renewNotifications(), renewMatches()])
  const stops = [
    hear('notification', renew),
    // Who are friends no more, or block each other, are told nothing of each other.
    hear('friends_changed', renew),
    hear('connected', renew),
    hear('missed', renew),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
