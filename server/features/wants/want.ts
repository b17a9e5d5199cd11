import type { Transaction } from 'kysely'
import { limits } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { type NewWant, type Want, type WantChanges, wantMessages } from '#contract/wants.ts'
import type { Deps } from '#server/deps.ts'
import { endingSwaps, findListings, forgetFits } from '#server/features/matches/finding.ts'
import { listingCounts } from '#server/features/matches/matches.ts'
import {
  type PendingNotification,
  publishNotification,
} from '#server/features/notifications/notifications.ts'
import { retryDeadlock } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Tables } from '#server/tables.ts'
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

type Needs = Pick<Deps, 'db' | 'jobs' | 'realtime'>

/** Returns the wants of the caller or of another member. The list of an unknown member is empty. */
export async function wantList(db: Deps['db'], caller: number, userId = caller): Promise<Want[]> {
  const rows = await listWantsOf(db, caller, userId)
  return userId === caller ? counted(db, caller, rows) : rows.map((row) => toResponse(row, null))
}

/** Throws `conflict` when the category is full. */
export async function addWant(deps: Needs, caller: number, want: NewWant): Promise<Want> {
  return theOne(deps.db, caller, await changing(deps, caller, (tx) => addWants(tx, caller, [want])))
}

/** Throws `forbidden` and `not_found`. */
export async function retitleWant(deps: Needs, caller: number, id: number, title: string): Promise<Want> {
  const renamed = await changing(deps, caller, async (tx) =>
    renameWants(tx, await ownWants(tx, caller, [id]), new Map([[id, title]])),
  )
  return theOne(deps.db, caller, renamed)
}

/** Throws `forbidden` and `not_found`. */
export async function dropWant(deps: Needs, caller: number, id: number): Promise<void> {
  await changing(deps, caller, async (tx) => {
    await dropWants(tx, await ownWants(tx, caller, [id]))
    return []
  })
}

/** A whole edit session at once: all of it is saved, or nothing. What is removed makes room for what is added. */
export async function changeWantList(
  deps: Needs,
  caller: number,
  { add, rename, remove }: WantChanges,
): Promise<Want[]> {
  await changing(deps, caller, async (tx) => {
    const titles = new Map(rename.map(({ id, title }) => [id, title]))
    const renamed = await renameWants(tx, await ownWants(tx, caller, [...titles.keys()]), titles)
    await dropWants(tx, await ownWants(tx, caller, remove))
    const removed = new Set(remove)
    return [...renamed.filter(({ id }) => !removed.has(id)), ...(await addWants(tx, caller, add))]
  })
  return wantList(deps.db, caller)
}

/**
 * Runs one change of a member's want list at a time, so that parallel requests can't exceed the limit. Finds what fits
 * the wants that the work has added or renamed, so that they come back with it. Returns these.
 */
async function changing(
  { db, jobs, realtime }: Needs,
  caller: number,
  work: (tx: Transaction<Tables>) => Promise<WantRow[]>,
): Promise<WantRow[]> {
  const { wants, notifications } = await retryDeadlock(db, async (tx) => {
    const notifications: PendingNotification[] = []
    if (!(await lockWantList(tx, caller)))
      throw new AppError('not_authenticated', errorMessages.notAuthenticated)
    const wants = await work(tx)
    for (const { id } of wants) notifications.push(...(await findListings({ jobs }, tx, { want_id: id })))
    return { wants, notifications }
  })
  for (const notification of notifications) publishNotification(realtime, notification)
  return wants
}

async function addWants(
  tx: Transaction<Tables>,
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
  return added
}

async function renameWants(
  tx: Transaction<Tables>,
  wants: readonly OwnWant[],
  titles: ReadonlyMap<number, string>,
): Promise<WantRow[]> {
  const own = wants.map((want) => ({ ...want, title: titles.get(want.id) ?? want.title }))
  await updateWantTitles(tx, new Map(own.map(({ id, title }) => [id, title])))
  await indexWants(tx, own)
  for (const { id } of own) await forgetFits(tx, id)
  return own
}

async function dropWants(tx: Transaction<Tables>, wants: readonly OwnWant[]): Promise<void> {
  const ids = wants.map(({ id }) => id)
  await endingSwaps(tx, 'want', ids, () => deleteWants(tx, ids))
}

async function theOne(db: Deps['db'], caller: number, rows: readonly WantRow[]): Promise<Want> {
  const [want] = await counted(db, caller, rows)
  if (!want) throw new AppError('not_found', wantMessages.notFound)
  return want
}

async function counted(db: Deps['db'], caller: number, rows: readonly WantRow[]): Promise<Want[]> {
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
