// Who may see which listing `l` of the owner `o`: conditions in SQL for every statement that reads listings.

/** The ids of a member's friends. */
export const friendsOf = (caller: string) => `
  select high_id from friendships where low_id = ${caller} and status = 'accepted'
  union all
  select low_id from friendships where high_id = ${caller} and status = 'accepted'`

/** Not hidden by the operator, and of a member who is not suspended. */
export const inOrder = 'l.hidden_at is null and o.suspended_at is null'

/** What others may see at all: active and in order. */
export const shown = `l.is_active and ${inOrder}`

/**
 * What a member may see: one's own, what is active and public, and what is active and a friend's.
 * As an array the friends are read once, from the caller's own friendships; an `exists` would be planned as a hash of everybody's.
 */
export const visibleTo = (caller: string) =>
  `(l.owner_id = ${caller} or ${shown} and (l.is_public or l.owner_id = any (array(${friendsOf(caller)}))))`
