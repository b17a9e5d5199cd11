import { limits } from '#contract/constants.ts'
import { type NewWant, type Want, type WantChanges, wantMessages } from '#contract/wants.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { requireToken } from '#server/platform/token-buckets.ts'
import type { Db, Tx } from '#server/tables.ts'
import { type OwnWant, ownWants } from './access.ts'
import { indexWants } from './indexing.ts'
import {
  deleteWants,
  insertWants,
  listWantsOf,
  lockWantList,
  updateWantTitles,
  type WantRow,
} from './queries.ts'

/** `listingCounts` counts the listings that match each want. It is given, because matches know wants. */
interface Counter extends Pick<Deps, 'db'> {
  readonly listingCounts: (
    db: Db,
    caller: number,
    wants: readonly number[],
  ) => Promise<ReadonlyMap<number, number>>
}
type Needs = Counter & Pick<Deps, 'events'> & { readonly takeToken: (member: number) => boolean }

/** Returns the wants of the caller or of another member. The list of an unknown member is empty. */
export async function wantList(deps: Counter, caller: number, userId = caller): Promise<Want[]> {
  const rows = await listWantsOf(deps.db, caller, userId)
  return userId === caller ? withListingCounts(deps, caller, rows) : rows.map((row) => toResponse(row, null))
}

/** Adds a want of the caller. Throws `conflict` if the category is full. */
export async function addWant(deps: Needs, caller: number, want: NewWant): Promise<Want> {
  return countedWant(
    deps,
    caller,
    await withLockedList(deps, caller, (tx) => addWants(deps, tx, caller, [want])),
  )
}

/** Changes the title of a want of the caller. Throws `forbidden` and `not_found`. */
export async function changeWantTitle(deps: Needs, caller: number, id: number, title: string): Promise<Want> {
  const wants = await withLockedList(deps, caller, async (tx) => {
    const own = await ownWants(tx, caller, [id])
    await changeWantTitles(deps, tx, own, new Map([[id, title]]))
    return own.map((want) => ({ ...want, title }))
  })
  return countedWant(deps, caller, wants)
}

/** Removes a want of the caller. Throws `forbidden` and `not_found`. */
export async function removeWant(deps: Needs, caller: number, id: number): Promise<void> {
  await withLockedList(deps, caller, async (tx) => removeWants(deps, tx, await ownWants(tx, caller, [id])))
}

/** Saves all changes of the caller's want list or none of them. Removes first, because the limit applies to the result. Throws `conflict`, `forbidden` and `not_found`. */
export async function changeWantList(
  deps: Needs,
  caller: number,
  { add, rename, remove }: WantChanges,
): Promise<Want[]> {
  await withLockedList(deps, caller, async (tx) => {
    const removed = new Set(remove)
    const titles = new Map(rename.filter(({ id }) => !removed.has(id)).map(({ id, title }) => [id, title]))
    const renamed = await ownWants(tx, caller, [...titles.keys()])
    await removeWants(deps, tx, await ownWants(tx, caller, remove))
    await changeWantTitles(deps, tx, renamed, titles)
    await addWants(deps, tx, caller, add)
  })
  return wantList(deps, caller)
}

/** Serializes changes of a member's want list, so that parallel requests can't exceed the limit. Throws `too_many`. */
async function withLockedList<Result>(
  { db, takeToken }: Needs,
  caller: number,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  requireToken(takeToken, caller)
  return inTransaction(db, async (tx) => {
    await lockWantList(tx, caller)
    return work(tx)
  })
}

async function addWants(
  { events }: Needs,
  tx: Tx,
  caller: number,
  wants: readonly NewWant[],
): Promise<WantRow[]> {
  const before = await listWantsOf(tx, caller, caller)
  for (const category of new Set(wants.map(({ category_id }) => category_id))) {
    const inCategory = [...before, ...wants].filter(({ category_id }) => category_id === category)
    if (inCategory.length > limits.want.perCategory) throw new AppError('conflict', wantMessages.tooMany)
  }
  const added = await insertWants(
    tx,
    wants.map(({ title, category_id }) => ({ user_id: caller, title, category_id })),
  )
  await indexWants(tx, added)
  await events.publish(tx, 'wants_posted', idsOf(added))
  return added
}

/** Renames the wants whose title differs, because each is matched again. */
async function changeWantTitles(
  { events }: Needs,
  tx: Tx,
  wants: readonly OwnWant[],
  titles: ReadonlyMap<number, string>,
): Promise<void> {
  const renamed = wants.flatMap((want) => {
    const title = titles.get(want.id) ?? want.title
    return title === want.title ? [] : { ...want, title }
  })
  await updateWantTitles(tx, new Map(renamed.map(({ id, title }) => [id, title])))
  await indexWants(tx, renamed)
  await events.publish(tx, 'wants_renamed', idsOf(renamed))
}

async function removeWants({ events }: Needs, tx: Tx, wants: readonly OwnWant[]): Promise<void> {
  if (wants.length === 0) return
  const { want_ids } = idsOf(wants)
  await events.publish(tx, 'wants_deleted', { want_ids })
  await deleteWants(tx, want_ids)
}

function idsOf(wants: readonly WantRow[]): { want_ids: number[] } {
  return { want_ids: wants.map(({ id }) => id) }
}

async function countedWant(deps: Counter, caller: number, rows: readonly WantRow[]): Promise<Want> {
  const [want] = await withListingCounts(deps, caller, rows)
  if (!want) throw new AppError('not_found', wantMessages.notFound)
  return want
}

async function withListingCounts(
  { db, listingCounts }: Counter,
  caller: number,
  rows: readonly WantRow[],
): Promise<Want[]> {
  const counts = await listingCounts(
    db,
    caller,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toResponse(row, counts.get(row.id) ?? 0))
}

function toResponse({ id, title, category_id }: WantRow, listing_count: number | null): Want {
  return { id, title, category_id, listing_count }
}
