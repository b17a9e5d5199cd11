import { states } from '#contract/constants.ts'

// SQL conditions of the visibility of a listing `l`, for all statements that read listings. `caller` is a placeholder such as `$1`, or a
// column such as `me.id`: PostgreSQL plans `(select $1::bigint as id) me` as if the value stood there.

/** Selects the ids of a member's friends. */
export function friendsOf(caller: string): string {
  return `select high_id from friendships where low_id = ${caller} and status = 'accepted'
    union all select low_id from friendships where high_id = ${caller} and status = 'accepted'`
}

/** Holds for active listings that the operator has not hidden. */
const isActive = 'l.is_active and l.hidden_at is null'

/** Holds for public listings. Each index of public listings has this condition and `ended_at is null`. */
export const isPublic = `l.is_public and ${isActive}`

/** Holds for listings whose owner is reminded of their end, unless the owner is suspended. */
export const needsReminder = `${isActive} and l.state_id <> ${states.gone}`

/** Holds for listings that have not ended. `ended_at` is for the indexes: a job sets it within a minute (decision 0024). */
export const isCurrent = 'l.ended_at is null and l.expires_at > now()'

/** Holds for current, active listings that the operator has not hidden. */
export const isShown = `${isActive} and ${isCurrent}`

/**
 * Holds for shown listings, unless their owner is suspended or there is a block between owner and caller. PostgreSQL reads these
 * owners once into a hash table.
 */
export function shownTo(caller: string): string {
  return `${isShown} and l.owner_id not in (${hiddenOwners(caller)})`
}

/** Selects the owners whose listings a member never sees. */
export function hiddenOwners(caller: string): string {
  return `select id from users where suspended_at is not null
    union all select blocked_id from blocks where blocker_id = ${caller}
    union all select blocker_id from blocks where blocked_id = ${caller}`
}

/** Holds for listings that the caller may see: all own listings, and shown listings that are public or of friends. */
export function visibleTo(caller: string): string {
  return ownOr(caller, isShown)
}

/** Holds for listings that the caller may see, or could until they ended. */
export function visibleUntilEnd(caller: string): string {
  return ownOr(caller, isActive)
}

function ownOr(caller: string, shown: string): string {
  return `(l.owner_id = ${caller} or ${shown} and l.owner_id not in (${hiddenOwners(caller)})
    and (l.is_public or l.owner_id = any (array(${friendsOf(caller)}))))`
}
