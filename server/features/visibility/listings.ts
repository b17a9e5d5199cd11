import { states } from '#contract/constants.ts'
import { areFriends, areUnblocked, existsPerRow, friendsOf, unseenBy } from './members.ts'

// SQL conditions of the life and the visibility of a listing `l`, for all statements that read listings. `caller` is a placeholder such
// as `$1::bigint`, or a column such as `me.id`: PostgreSQL plans `(select $1::bigint as id) me` as if the value stood there. The
// glossary in ARCHITECTURE.md has their words.

/** Holds for active listings that the operator has not hidden. */
const isUnhidden = 'l.is_active and l.hidden_at is null'

/** Holds for public, active listings that the operator has not hidden. Each index of public listings has this condition and `ended_at is null`. */
export const isPublished = `l.is_public and ${isUnhidden}`

/** Holds for listings that have not expired. `ended_at` is for the indexes: a job sets it within a minute (decision 0024). */
export const isCurrent = 'l.ended_at is null and l.expires_at > now()'

/** Holds for listings that are available or reserved. Gone ones are listed on their owner's page only. */
export const isNotGone = `l.state_id <> ${states.gone}`

/** Holds for hidden listings that wait until a moderator shows them: the first ones of their owners. */
export const isHeld = '(l.is_held and l.hidden_at is not null)'

/** Holds for listings that their owners offer now: active, current, not gone, ready, and not held. */
export const isOnOffer = `l.is_active and ${isCurrent} and ${isNotGone} and l.ready_at is null and not ${isHeld}`

/** Holds for listings that are listed: active, current, and not hidden by the operator. */
export const isListed = `${isUnhidden} and ${isCurrent}`

/** Returns a condition for a listing with another alias. */
export function ofAlias(alias: string, condition: string): string {
  return condition.replaceAll(/\bl\./g, `${alias}.`)
}

/** Holds for listings of the owner `o` that the operator withholds: hidden ones, and those of suspended members. */
export const isWithheld = '(l.hidden_at is not null or o.suspended_at is not null)'

/**
 * Holds if the operator withholds from a reader the copy of a listing that a leg of a trade keeps: the listing is hidden or its owner
 * suspended, and the reader is not the owner. The title of a listing that was deleted while it was hidden is empty.
 */
export function isLegWithheld(leg: string, reader: string): string {
  const [listing, owner] = [`${leg}.listing_id`, `${leg}.giver_id`]
  return `(${leg}.title = '' or ${owner} <> ${reader} and (
    ${existsPerRow(`listings withheld where withheld.id = ${listing} and withheld.hidden_at is not null`)}
    or ${existsPerRow(`users withheld where withheld.id = ${owner} and withheld.suspended_at is not null`)}))`
}

/** Holds for listings whose owner is reminded of their end, unless the owner is suspended. */
export const needsReminder = `${isUnhidden} and ${isNotGone}`

/** Holds for listed listings, unless their owner is suspended or there is a block between owner and caller. */
export function isListedFor(caller: string): string {
  return `${isListed} and l.owner_id not in (${unseenBy(caller)})`
}

/** Holds for listings that the caller may see: all own listings, and those that are listed for the caller and public or of friends. */
export function isVisibleTo(caller: string): string {
  return ownOr(caller, isListed)
}

/** Holds for listings that the caller may see, or could until they expired. */
export function wasVisibleTo(caller: string): string {
  return ownOr(caller, isUnhidden)
}

function ownOr(caller: string, shown: string): string {
  return `(l.owner_id = ${caller} or ${shown} and l.owner_id not in (${unseenBy(caller)})
    and (l.is_public or l.owner_id = any (array(${friendsOf(caller)}))))`
}

/** Holds if a listing of the owner `o` is on offer, and another member may see it. Checks one pair of members, unlike `isVisibleTo`. */
export function isOfferedTo(member: string): string {
  return `${isOnOffer} and not ${isWithheld} and (l.is_public or ${areFriends(member, 'l.owner_id')})
    and ${areUnblocked(member, 'l.owner_id')}`
}
