import { type ChangeDeps, endFriendshipForBlock } from './friendship.ts'

export function friendSubscribers(deps: ChangeDeps) {
  deps.events.subscribe('members_blocked', (tx, { blocker_id, blocked_id }) =>
    endFriendshipForBlock(deps, tx, blocker_id, blocked_id),
  )
}
