import type { Deps } from '#server/deps.ts'
import { insertRecentWrites } from './queries.ts'

/** Records changes that others make to what a member sees, or that a member makes without a login. */
export function recentWriteSubscribers({ events }: Pick<Deps, 'events'>) {
  events.subscribe('member_registered', (tx, { user_id }) => insertRecentWrites(tx, [user_id]))
  events.subscribe('listing_changed', (tx, { owner_id }) => insertRecentWrites(tx, [owner_id]))
  for (const event of ['friendship_begun', 'friendship_ended'] as const)
    events.subscribe(event, (tx, { user_id, friend_id }) => insertRecentWrites(tx, [user_id, friend_id]))
  for (const event of ['members_blocked', 'members_unblocked'] as const)
    events.subscribe(event, (tx, { blocker_id, blocked_id }) =>
      insertRecentWrites(tx, [blocker_id, blocked_id]),
    )
}
