import { type Channels, endForBlock } from './friendship.ts'

export function friendSubscribers(deps: Channels) {
  deps.events.subscribe('members_blocked', (tx, { blocker_id, blocked_id }) =>
    endForBlock(deps, tx, blocker_id, blocked_id),
  )
}
