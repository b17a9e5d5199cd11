import { isDeepStrictEqual } from 'node:util'
import { states, types } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { ListingQuery } from '#contract/listing-queries.ts'
import { type Listing, listingMessages, type NewListing } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { requireNoPause } from '#server/features/auth/pauses.ts'
import { photosOf } from '#server/features/images/paths.ts'
import { setPhotos } from '#server/features/images/photos.ts'
import { withImage } from '#server/features/images/store-image.ts'
import { bandsBetween } from '#server/features/locations/postal-codes.ts'
import { drawingOf } from '#server/features/matching/drawing.ts'
import { indexVersion } from '#server/features/matching/index-terms.ts'
import { readTexts } from '#server/features/matching/pipeline.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Page } from '#server/platform/http/paging.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Db } from '#server/tables.ts'
import type { VisibleRow } from './columns.ts'
import { defaultDaysOf, expiryColumns, readyAtOf } from './duration.ts'
import { searchIndexOf } from './indexing.ts'
import { type MarketPage, pageOfMarket } from './market.ts'
import {
  countRequestsOf,
  findPosted,
  findTimeZone,
  findVisibleListing,
  insertListing,
  isNewcomer,
  listVisibility,
  listVisibleListings,
  type PostedRow,
} from './queries.ts'
import { insertSearchTerms } from './search-queries.ts'

/**
 * Posts a listing with photos; that of the file is the first. The price becomes 0 if it is not for sale. Returns the stored listing if
 * the owner has posted it before with the same client_id. If the site holds first listings, only the owner and the desk see it. Throws `client_id_reused` if another listing has it, and `paused`.
 */
export async function postListing(
  deps: Pick<Deps, 'db' | 'events' | 'images' | 'jobs' | 'site'>,
  owner: number,
  input: NewListing,
  file: UploadedFile | undefined,
): Promise<Listing> {
  const price = input.type_id === types.sell ? input.price : 0
  const { days = defaultDaysOf(input.category_id), image_ids, client_id, ...fields } = input
  const posted = { ...fields, days, price }
  const ready_at =
    fields.ready_from === null ? null : readyAtOf(await findTimeZone(deps.db, owner), fields.ready_from)
  const reading = readTexts(input)
  const { id, image } = await withImage(
    deps,
    { memberId: owner, file, purpose: 'photo' },
    async (tx, image) => {
      const { lexemes, terms, crops } = searchIndexOf(input, reading)
      const is_held = deps.site.current().hold_first_listings && (await isNewcomer(tx, owner))
      const row = {
        ...posted,
        quantity_left: posted.state_id === states.gone && posted.quantity !== null ? 0 : posted.quantity,
        ...expiryColumns(days, ready_at),
        ready_at,
        client_id: client_id ?? null,
        is_held,
        hidden_at: is_held ? new Date().toISOString() : null,
        owner_id: owner,
        drawing: drawingOf(input, reading.title),
        index_version: indexVersion,
        crops,
      }
      const id = await insertListing(tx, row, lexemes)
      // The photo of a repeated file stays unused and is deleted a day later.
      if (id === undefined) return { image }
      await requireNoPause(tx, owner)
      const photos = image ? [image.id, ...image_ids] : image_ids
      if (photos.length > 0) await setPhotos(deps, tx, { owner_id: owner, listing_id: id }, photos)
      if (row.is_public && row.is_active) await insertSearchTerms(tx, terms)
      await deps.events.publish(tx, 'listing_posted', { listing_id: id, owner_id: owner })
      return { id }
    },
  )
  if (id !== undefined) return visibleListing(deps.db, owner, id)
  return findRepeated(deps.db, { owner, client_id: client_id ?? '', posted, image_ids, image })
}

interface RepeatedListing {
  readonly owner: number
  readonly client_id: string
  readonly posted: PostedRow
  readonly image_ids: readonly number[]
  /** The image of the sent file. */
  readonly image: Picture | undefined
}

type Picture = Pick<StoredImage, 'width' | 'height' | 'placeholder'>

/** Returns the stored listing. Throws `client_id_reused` if it differs, and `unavailable` if it was deleted at this moment. */
async function findRepeated(
  db: Db,
  { owner, client_id, posted, image_ids, image }: RepeatedListing,
): Promise<Listing> {
  const stored = await findPosted(db, owner, client_id)
  if (!stored) throw new AppError('unavailable', errorMessages.unavailable)
  const { id, ...columns } = stored
  const listing = await visibleListing(db, owner, id)
  const photos = listing.images.slice(image ? 1 : 0)
  const isSame =
    isDeepStrictEqual({ columns, ids: photos.map(({ id }) => id) }, { columns: posted, ids: image_ids }) &&
    (!image || isSamePicture(image, listing.images[0]))
  if (!isSame) throw new AppError('client_id_reused', listingMessages.clientIdReused)
  return listing
}

/** Returns whether two images come from the same file, which is encoded alike each time. */
function isSamePicture(one: Picture, other: Picture | undefined): boolean {
  return one.width === other?.width && one.height === other.height && one.placeholder === other.placeholder
}

/** Returns a listing that the caller may see. Throws the same `not_found` for missing and invisible listings. */
export async function visibleListing(db: Db, caller: number, id: number): Promise<Listing> {
  const row = await findVisibleListing(db, caller, id)
  if (!row) throw new AppError('not_found', listingMessages.notFound)
  const [listing] = await toResponses(db, caller, [row])
  if (!listing) throw new AppError('not_found', listingMessages.notFound)
  return listing
}

/** Returns those of the listings that the caller may see, by id. */
export async function visibleListings(
  db: Db,
  caller: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Listing>> {
  const rows = ids.length > 0 ? await listVisibleListings(db, caller, ids) : []
  const listings = await toResponses(db, caller, rows)
  return new Map(listings.map((listing) => [listing.id, listing]))
}

/** Returns a page of a list. Reads own listings from the primary, and others from the replica. Throws like `pageOfMarket`. */
export async function pageOfListings(
  { db, reads }: Pick<Deps, 'db' | 'reads'>,
  caller: number,
  query: ListingQuery,
): Promise<Page<Listing>> {
  const page = query.mine
    ? await pageOfMarket(db, caller, query)
    : await reads.run(
        caller,
        (replica) => pageOfMarket(replica, caller, query),
        (page) => withoutHidden(db, caller, page, query.public === true),
      )
  return { rows: await toResponses(db, caller, page.rows), next: page.next }
}

async function withoutHidden(
  db: Db,
  caller: number,
  page: MarketPage,
  onlyPublic: boolean,
): Promise<MarketPage> {
  if (page.rows.length === 0) return page
  const ids = page.rows.map(({ id }) => id)
  const visible = await listVisibility(db, caller, ids)
  const shown = new Set(visible.filter((row) => row.is_public || !onlyPublic).map(({ id }) => id))
  return { ...page, rows: page.rows.filter(({ id }) => shown.has(id)) }
}

async function toResponses(db: Db, caller: number, rows: readonly VisibleRow[]): Promise<Listing[]> {
  const own = rows.filter(({ owner_id }) => owner_id === caller).map(({ id }) => id)
  const requests = await countRequestsOf(db, own)
  return rows.map((row) =>
    row.owner_id === caller
      ? { ...toResponse(row), request_count: requests.get(row.id) ?? 0 }
      : { ...toResponse(row), ...bandsBetween(row.caller_postal_code_id, row.postal_code_id) },
  )
}

/** Builds the response. Columns of the photos remain, but the response schema drops them. */
function toResponse(row: VisibleRow): Listing {
  const photos = photosOf(row.photos)
  return {
    ...row,
    ...photos,
    drawing: photos.image === null ? row.drawing : null,
    within_miles: null,
    within_km: null,
    request_count: null,
  }
}
