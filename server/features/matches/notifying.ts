import {
  type Event,
  type NotifyDeps,
  notifiedOf,
  notify,
} from '#server/features/notifications/notifications.ts'
import type { Tx } from '#server/tables.ts'
import type { InterestedMember, SwapRow } from './finding-queries.ts'
import { matchFound, swapFound } from './notifications.ts'
import { updatePendingAgain } from './pending-queries.ts'

/** A new match of a member. `more` counts the member's other new matches that are notified of together with it. */
export interface NewMatch {
  readonly interested: InterestedMember
  readonly owner_id: number
  readonly want_id: number
  readonly listing_id: number
  readonly more: number
}

type MatchEvent = Event<{ want_id: number; listing_id: number; more: number }>

/** Notifies members of new matches, and both sides of new swaps. */
export async function notifyMembers(
  deps: NotifyDeps,
  tx: Tx,
  newMatches: readonly NewMatch[],
  candidates: readonly SwapRow[],
): Promise<void> {
  const swaps = await withoutNotified(
    tx,
    candidates.filter((match) => match.is_swap && match.is_visible).map((match) => toEvent(match, 0)),
  )
  const found = newMatches.map(toNewEvent)
  const keys = new Set(found.map(keyOf))
  const earlier = swaps.filter((swap) => !keys.has(keyOf(swap)))
  // The next mail and push name them as swaps.
  if (earlier.length > 0)
    await updatePendingAgain(
      tx,
      earlier.map(({ data }) => data),
    )
  const swapKeys = new Set(swaps.map(keyOf))
  const { swap = [], match = [] } = Object.groupBy([...found, ...onePerOwner(earlier)], (event) =>
    swapKeys.has(keyOf(event)) ? 'swap' : 'match',
  )
  await notify(deps, tx, matchFound, match)
  await notify(deps, tx, swapFound, swap)
}

function toEvent(
  { user_id, owner_id, want_id, listing_id }: Omit<SwapRow, 'is_swap' | 'is_visible'>,
  more: number,
) {
  return { user_id, from_id: owner_id, data: { want_id, listing_id, more } }
}

function toNewEvent({ interested, more, ...match }: NewMatch): MatchEvent {
  const { user_id, time_zone, has_push, mail_matches } = interested
  return {
    ...toEvent({ user_id, ...match }, more),
    member: { user_id, time_zone, has_push, mail: mail_matches },
  }
}

const keyOf = ({ user_id, data }: MatchEvent) => `${user_id} ${data.listing_id}`

/** Returns one event for each pair of member and owner, with the number of the others. */
function onePerOwner(events: readonly MatchEvent[]): MatchEvent[] {
  const byOwner = Map.groupBy(events, ({ user_id, from_id }) => `${user_id} ${from_id}`)
  return [...byOwner.values()].flatMap(([event, ...others]) =>
    event ? [{ ...event, data: { ...event.data, more: others.length } }] : [],
  )
}

async function withoutNotified(tx: Tx, swaps: readonly MatchEvent[]): Promise<readonly MatchEvent[]> {
  const notified = new Set(await notifiedOf(tx, swapFound, swaps))
  return swaps.filter((swap) => !notified.has(swap))
}
