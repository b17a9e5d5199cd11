import {
  type DeskListing,
  deskListingMessages,
  type ListingActionBody,
  type ListingActionResult,
} from '#contract/desk-listings.ts'
import { listingMessages } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { orderedPhotos } from '#server/features/images/paths.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { Db, Row, Tx } from '#server/tables.ts'
import {
  type DeskListingRow,
  listHeld,
  listHidden,
  listNewest,
  listUnheld,
  lockListings,
} from './desk-listing-queries.ts'
import { categorizeInTransaction, hideInTransaction, isAlready } from './moderation.ts'

type ActionDeps = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime'>

/** Returns a page of all listings, of the hidden ones, or of those that wait to be shown or do not, newest first. */
export async function pageOfDeskListings(
  db: Db,
  {
    hidden,
    waiting,
    cursor,
    limit,
  }: {
    hidden?: boolean | undefined
    waiting?: boolean | undefined
    cursor?: string | undefined
    limit: number
  },
): Promise<Page<DeskListing>> {
  const listRest = waiting === false ? listUnheld : listNewest
  const list = waiting ? listHeld : hidden ? listHidden : listRest
  const found = await list(db, decodeIdCursor(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ id }) => id)
  return { rows: rows.map(toDeskListing), next }
}

/**
 * Hides or shows listings or corrects their category, all in one transaction. Leaves those that are so already, for example because
 * another moderator was faster, and deleted ones. Throws `conflict` if there is nothing to do, and `not_found` if all are deleted.
 */
export async function changeListings(
  deps: ActionDeps,
  actor: number,
  body: ListingActionBody,
): Promise<ListingActionResult> {
  return inTransaction(deps.db, async (tx) => {
    const found = await lockListings(tx, body.ids)
    if (found.length === 0) throw new AppError('not_found', listingMessages.notFound)
    const { done = [], unchanged = [] } = Object.groupBy(found, (listing) =>
      isDone(listing, body) ? 'unchanged' : 'done',
    )
    if (done.length === 0) throw new AppError('conflict', deskListingMessages.doneAlready)
    const changed = done.map(({ id }) => id)
    await act(deps, tx, actor, changed, body)
    const ids = new Set(found.map(({ id }) => id))
    return {
      done: changed,
      unchanged: unchanged.map(({ id }) => id),
      gone: [...new Set(body.ids)].filter((id) => !ids.has(id)),
    }
  })
}

function isDone(
  listing: Pick<Row<'listings'>, 'hidden_at' | 'is_held' | 'category_id'>,
  { action, category_id = null }: ListingActionBody,
): boolean {
  return action === 'categorize' ? listing.category_id === category_id : isAlready(action === 'hide', listing)
}

async function act(
  deps: ActionDeps,
  tx: Tx,
  actor: number,
  ids: readonly number[],
  { action, rule, reason, category_id = null }: ListingActionBody,
): Promise<void> {
  if (action === 'categorize') await categorizeInTransaction(deps, tx, ids, category_id, { actor, reason })
  else if (action === 'hide') await hideInTransaction(deps, tx, ids, true, { actor, rule, reason })
  else await hideInTransaction(deps, tx, ids, false, { actor, reason })
}

function toDeskListing({ owner_id, owner_username, photos, ...listing }: DeskListingRow): DeskListing {
  return { ...listing, owner: { id: owner_id, username: owner_username }, images: orderedPhotos(photos) }
}
