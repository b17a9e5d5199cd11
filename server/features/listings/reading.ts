// Reads a page of a list: stretch after stretch, each by the first of its walks that is enough.

import type { Deps } from '#server/deps.ts'
import type { Bookmark } from './cursor.ts'
import { filterChecks, hasWords, lacksWords } from './filters.ts'
import type { Position } from './orders.ts'
import { type End, findEnd, type ListingRow, ownedByFriends, readWalk, visibility } from './queries.ts'
import type { Asked, Stretch } from './stretches.ts'
import type { Check, Walk } from './walks.ts'

/** The rows of a page, and where the next begins while there is one. */
export interface Page {
  readonly rows: ListingRow[]
  readonly next: Bookmark | undefined
}

/** A page of rows that were read with one more than `limit`. */
export function pageOf(rows: ListingRow[], limit: number): Page {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, next: last && { stretch: 0, id: last.id, key: 0 } }
}

/** From the bookmark on, the first of these stretches being the one that bookmarks call `first`. */
export async function readPage(
  db: Deps['db'],
  { caller, scope, filters, limit }: Asked,
  stretches: readonly Stretch[],
  bookmark: Bookmark | undefined,
  first = 0,
): Promise<Page> {
  const start = bookmark === undefined ? 0 : bookmark.stretch - first
  const found: { row: ListingRow; bookmark: Bookmark }[] = []
  for (let index = start; index < stretches.length; index += 1) {
    const stretch = stretches[index]
    if (!stretch) break
    const mark = (row: End): Bookmark => ({
      stretch: first + index,
      id: row.id,
      key: stretch.key === undefined ? 0 : row[stretch.key],
    })
    const checks: Check[] = [
      ...visibility(scope, caller),
      ...filterChecks(filters),
      ...(stretch.checks ?? []),
    ]
    const checksOf = (walk: Walk) => [
      ...checks,
      ...(scope.of === 'friends' && !walk.ofOwners ? [ownedByFriends(caller)] : []),
      ...wordChecks(stretch, walk.under),
    ]
    const from = index === start ? bookmark : undefined
    const { rows, end } = await readStretch(db, stretch.walks, from, checksOf, limit + 1 - found.length)
    found.push(...rows.map((row) => ({ row, bookmark: mark(row) })))
    const last = found[limit - 1]
    if (found.length > limit && last)
      return { rows: found.slice(0, limit).map(({ row }) => row), next: last.bookmark }
    if (end) return { rows: found.map(({ row }) => row), next: mark(end) }
  }
  return { rows: found.map(({ row }) => row), next: undefined }
}

function wordChecks({ has, lacks }: Stretch, under: Walk['under']): Check[] {
  return [...(has ? hasWords(has, under) : []), ...(lacks ? [lacksWords(lacks)] : [])]
}

async function readStretch(
  db: Deps['db'],
  walks: Stretch['walks'],
  from: Position | undefined,
  checksOf: (walk: Walk) => readonly Check[],
  limit: number,
): Promise<{ rows: ListingRow[]; end: End | undefined }> {
  let best: { rows: ListingRow[]; end: () => Promise<End | undefined> } = {
    rows: [],
    end: async () => undefined,
  }
  for (const find of walks) {
    const walk = await find()
    const after = from ?? walk.start
    const { rows, end: known } = await readWalk(db, walk, after, checksOf(walk), limit)
    // Only what is read group by group is likely to be all there is.
    if (rows.length >= limit || walk.whole || (walk.tellsEnd && !known)) return { rows, end: undefined }
    if (!walk.isGlimpse && rows.length >= best.rows.length)
      best = { rows, end: async () => known ?? endOf(db, walk, after) }
  }
  return { rows: best.rows, end: await best.end() }
}

async function endOf(db: Deps['db'], walk: Walk, after: Position): Promise<End | undefined> {
  const end = await findEnd(db, walk, after)
  const stop = end ? undefined : walk.stop?.(after)
  return stop ? { id: stop.id, price: 0, place: stop.key } : end
}
