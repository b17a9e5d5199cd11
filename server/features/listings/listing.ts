import { types } from '#contract/constants.ts'
import { type Listing, type ListingQuery, listingSentences, type NewListing } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { withImage } from '#server/features/images/keep.ts'
import { avatarPath, photo } from '#server/features/images/paths.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { OwnListing } from './access.ts'
import {
  findVisibleListing,
  insertListing,
  type ListingRow,
  listFriendsListings,
  listListingsOf,
  listOwnListings,
  listPublicListings,
  listVisibleListings,
  type Page,
  updateVisibility,
} from './queries.ts'

/** Posts a listing, with its photo if there is one. A price counts for a sale only. */
export async function postListing(
  deps: Pick<Deps, 'db' | 'images'>,
  owner: number,
  input: NewListing,
  file: UploadedFile | undefined,
): Promise<Listing> {
  const price = input.type_id === types.sell ? input.price : 0
  const id = await withImage(deps, file, 'photo', (tx, image) =>
    insertListing(tx, { ...input, price, owner_id: owner, image_name: image?.name ?? null }),
  )
  return visibleListing(deps.db, owner, id)
}

/** Throws `not_found` for a listing that is not there, and in the same words for one the caller may not see. */
export async function visibleListing(db: Deps['db'], caller: number, id: number): Promise<Listing> {
  const row = await findVisibleListing(db, caller, id)
  if (!row) throw new AppError('not_found', listingSentences.notFound)
  return onTheWire(row)
}

export async function showListing(db: Deps['db'], listing: OwnListing, is_public: boolean): Promise<Listing> {
  await updateVisibility(db, listing.id, is_public)
  return visibleListing(db, listing.owner_id, listing.id)
}

/** A page of listings, and the cursor of the next page while there is one. */
export interface ListingPage {
  readonly listings: Listing[]
  readonly next: string | undefined
}

export async function pageOfListings(
  db: Deps['db'],
  caller: number,
  query: ListingQuery,
): Promise<ListingPage> {
  const page = {
    before: query.cursor === undefined ? Number.MAX_SAFE_INTEGER : idOf(query.cursor),
    limit: query.limit + 1,
  }
  const rows = await rowsOf(db, caller, query, page)
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    listings: shown.map(onTheWire),
    next: rows.length > query.limit && last ? cursorOf(last.id) : undefined,
  }
}

function rowsOf(db: Deps['db'], caller: number, query: ListingQuery, page: Page): Promise<ListingRow[]> {
  if (query.mine) return listOwnListings(db, caller, page, query.category_id)
  if (query.friends) return listFriendsListings(db, caller, page, query.category_id)
  if (query.public) return listPublicListings(db, page, query.category_id)
  if (query.user_id !== undefined) return listListingsOf(db, caller, query.user_id, page, query.category_id)
  return listVisibleListings(db, caller, page, query.category_id)
}

function cursorOf(id: number): string {
  return Buffer.from(String(id)).toString('base64url')
}

function idOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalid('cursor', 'Please check "cursor"')
  return Number(text)
}

/** What only the photo and the avatar are made of stays in the row: no schema names it, so it never leaves the server. */
function onTheWire(row: ListingRow): Listing {
  const { featured_image, image } = photo(row)
  return {
    ...row,
    featured_image,
    image,
    within_miles: null,
    owner_profile_picture: avatarPath(row.owner_picture_name, 'small'),
  }
}
