import { hear } from '#web/realtime/connection.ts'
import { renewFriends } from './friend-queries.ts'

/** Shows at once what others do; returns how to stop. After a break of the connection it asks for what went unheard. */
export function followFriends(): () => void {
  let isBack = false
  const renew = () => void renewFriends()
  const stops = [
    hear('friends_changed', renew),
    hear('missed', renew),
    hear('connected', () => {
      if (isBack) renew()
      isBack = true
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
