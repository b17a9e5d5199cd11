import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/tables.ts'
import {
  deleteMatchesOf,
  listSwappers,
  type SwapRow,
  updateSwaps,
  updateUnfitWant,
} from './finding-queries.ts'

type Events = Deps['events']

/** Updates which matches between a member and others are swaps. Publishes those that are swaps no longer. */
export async function changeSwaps(
  events: Events,
  tx: Tx,
  member: number,
  others: readonly number[],
): Promise<SwapRow[]> {
  const changed = await updateSwaps(tx, member, others)
  const matches = changed.filter(({ is_swap }) => !is_swap)
  if (matches.length > 0) await events.publish(tx, 'matches_found', { matches })
  return changed
}

/** Ends the matches of a want with a new title. Matching it again restores those that still fit. */
export function endMatches(events: Events, tx: Tx, wantId: number): Promise<void> {
  return runAndChangeSwaps(events, tx, 'want', [wantId], () => updateUnfitWant(tx, wantId))
}

/** Deletes the matches of wants or listings that are about to be deleted. */
export function deleteMatches(
  events: Events,
  tx: Tx,
  by: 'want' | 'listing',
  ids: readonly number[],
): Promise<void> {
  return runAndChangeSwaps(events, tx, by, ids, () => deleteMatchesOf(tx, by, ids))
}

/** Runs work that ends matches, then updates the swaps of the members on both sides. */
async function runAndChangeSwaps(
  events: Events,
  tx: Tx,
  by: 'want' | 'listing',
  ids: readonly number[],
  work: () => Promise<void>,
): Promise<void> {
  const swappers = await listSwappers(tx, by, ids)
  await work()
  for (const [user, pairs] of Map.groupBy(swappers, ({ user_id }) => user_id)) {
    const owners = pairs.map(({ owner_id }) => owner_id)
    await changeSwaps(events, tx, user, owners)
  }
}
