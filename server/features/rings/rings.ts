import { limits } from '#contract/constants.ts'
import type { RingSuggestion } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { listingOfLeg } from '#server/features/listings/leg-listing.ts'
import { milesBetween, unknownLocation } from '#server/features/locations/postal-codes.ts'
import { tellStoredReason } from '#server/features/matching/explain.ts'
import { blockedPairs } from '#server/features/members/blocks.ts'
import { languageOf } from '#server/features/members/language.ts'
import { type NotifyDeps, notify } from '#server/features/notifications/notifications.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'
import { keyOfRing } from './key.ts'
import { ringFound } from './notifications.ts'
import {
  deleteBrokenRings,
  insertRings,
  isBrokenRing,
  listRingMembers,
  listRingsOfMatch,
  listSuggestedLegs,
  listValidRings,
  type MatchKey,
  type NewRing,
  type RingMember,
  type RingRow,
  type ValidRing,
} from './queries.ts'

/** The maximum number of rings that are stored for a match. */
const maxRings = 4 * limits.trade.rings

/** Finds the rings that a new match completes, stores the best, and notifies their members. */
export async function findRings(deps: NotifyDeps & Pick<Deps, 'db'>, match: MatchKey): Promise<void> {
  const rings = await bestRings(deps.db, match)
  if (rings.length === 0) return
  await inTransaction(deps.db, async (tx) => {
    await deleteBrokenRings(tx, rings)
    const stored = await insertRings(tx, rings)
    const members = new Set(stored.flatMap(({ members }) => members))
    const events = Array.from(members, (id) => ({ user_id: id, from_id: id, data: {} }))
    await notify(deps, tx, ringFound, events)
  })
}

/** Returns the best rings through a match: short ones first, then those whose members live near each other. */
export async function bestRings(db: Db, match: MatchKey): Promise<NewRing[]> {
  const found = (await listRingsOfMatch(db, match.want_id, match.listing_id)).filter(
    ({ members }) => new Set(members).size === members.length,
  )
  if (found.length === 0) return []
  const members = await membersOf(db, found)
  const blocks = await blockedPairs(db, [...members.keys()])
  const rings = found
    .flatMap((ring) => {
      const miles = milesOf(ring.members, members)
      return miles === undefined || hasBlock(ring, blocks) ? [] : [{ ...ring, miles }]
    })
    .sort((one, other) => one.members.length - other.members.length || one.miles - other.miles)
  return variedFirst(distinctRings(rings)).slice(0, maxRings)
}

/** Returns the first ring of each set of listings. Others with the same listings meet other wants or have another order of giving. */
function distinctRings(rings: readonly NewRing[]): NewRing[] {
  const byListings = new Map<string, NewRing>()
  for (const ring of rings) {
    const listings = keyOfRing(ring.listings).join(' ')
    if (!byListings.has(listings)) byListings.set(listings, ring)
  }
  return [...byListings.values()]
}

/** Moves rings to the end if each of their members gets the same listing in a better ring of the same members. */
function variedFirst(rings: readonly NewRing[]): NewRing[] {
  const known = new Set<string>()
  const groupOf = ({ members, listings }: NewRing) => {
    const sameMembers = members.toSorted((one, other) => one - other).join(' ')
    const keys = members.map((member, place) => `${sameMembers}: ${member} gets ${listings.at(place - 1)}`)
    const isVaried = keys.some((key) => !known.has(key))
    for (const key of keys) known.add(key)
    return isVaried ? 'varied' : 'similar'
  }
  const { varied = [], similar = [] } = Object.groupBy(rings, groupOf)
  return [...varied, ...similar]
}

type RingMembers = ReadonlyMap<number, RingMember>

/** Returns the members of rings who have not left or been suspended. */
async function membersOf(
  db: Db,
  rings: readonly { readonly members: readonly number[] }[],
): Promise<RingMembers> {
  const ids = new Set(rings.flatMap(({ members }) => members))
  return new Map((await listRingMembers(db, [...ids])).map((member) => [member.id, member]))
}

/**
 * Returns the miles from giver to taker, all legs together. Undefined if a member is too far from the one before or after, or is
 * suspended.
 */
function milesOf(givers: readonly number[], members: RingMembers): number | undefined {
  let miles = 0
  for (const [place, id] of givers.entries()) {
    const giver = members.get(id)
    const taker = members.get(givers[(place + 1) % givers.length] ?? 0)
    if (!giver || !taker) return undefined
    if (giver.postal_code_id === unknownLocation || taker.postal_code_id === unknownLocation) continue
    const distance = milesBetween(giver.postal_code_id, taker.postal_code_id)
    if (distance > Math.min(giver.match_radius ?? Infinity, taker.match_radius ?? Infinity)) return undefined
    miles += distance
  }
  return miles
}

function hasBlock({ members }: RingRow, blocks: readonly (readonly number[])[]): boolean {
  return blocks.some((pair) => pair.every((member) => members.includes(member)))
}

/** Returns the best rings that the caller could propose now, without those in which the caller would give one of these listings. */
export async function suggestedRings(
  db: Db,
  caller: number,
  given: readonly number[],
): Promise<RingSuggestion[]> {
  const rings = await listValidRings(db, caller, given)
  if (rings.length === 0) return []
  const best = bestOf(caller, rings, await membersOf(db, rings))
  const legs = await listSuggestedLegs(
    db,
    caller,
    best.map(({ id }) => id),
  )
  const language = await languageOf(db, caller)
  return Array.from(Map.groupBy(legs, ({ ring_id }) => ring_id).values(), (ring) => ({
    legs: ring.map((leg) => ({
      listing: listingOfLeg(leg),
      giver: leg.giver,
      taker: leg.taker,
      reason: tellStoredReason(leg.reason, language, leg.taker_id === caller ? 'interested' : 'owner'),
    })),
  }))
}

/** Returns the best rings, one for each set of members and each listing that the caller gets from them. */
function bestOf(caller: number, rings: readonly ValidRing[], members: RingMembers): ValidRing[] {
  const near = rings
    .flatMap((ring) => {
      const miles = milesOf(ring.members, members)
      return miles === undefined ? [] : [{ ring, miles }]
    })
    .sort(
      (one, other) =>
        one.ring.size - other.ring.size || one.miles - other.miles || other.ring.id - one.ring.id,
    )
  const distinct = new Map<string, ValidRing>()
  for (const { ring } of near) {
    const received = ring.listings.at(ring.members.indexOf(caller) - 1)
    const key = `${ring.members.toSorted((one, other) => one - other).join(' ')}: ${received}`
    if (!distinct.has(key)) distinct.set(key, ring)
  }
  return [...distinct.values()].slice(0, limits.trade.rings)
}

/**
 * Returns whether a ring can be proposed: its members live near enough to each other, and if it was suggested, it still is.
 * `givers` and `listings` are in the order of giving.
 */
export async function canProposeRing(
  db: Db,
  { givers, listings }: { readonly givers: readonly number[]; readonly listings: readonly number[] },
): Promise<boolean> {
  const members = await membersOf(db, [{ members: givers }])
  return milesOf(givers, members) !== undefined && !(await isBrokenRing(db, keyOfRing(listings)))
}
