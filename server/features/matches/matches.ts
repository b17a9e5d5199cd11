import type { z } from 'zod/mini'
import { defaultMatchRadius, limits } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import {
  type countInterested,
  type countInterestedIn,
  type countTold,
  type InterestedMember,
  type listInterested,
  type listMatches,
  type Match,
  matchMessages,
} from '#contract/matches.ts'
import type { Deps } from '#server/deps.ts'
import type { OwnListing } from '#server/features/listings/access.ts'
import { visibleListings } from '#server/features/listings/listing.ts'
import { postalCodesWithin, unknownLocation } from '#server/features/locations/postal-codes.ts'
import { tellStoredReason } from '#server/features/matching/explain.ts'
import { conceptTerm } from '#server/features/matching/index-terms.ts'
import { match, offerTerms } from '#server/features/matching/match.ts'
import { readListing, wantReader } from '#server/features/matching/pipeline.ts'
import { languageOf } from '#server/features/members/language.ts'
import { retract } from '#server/features/notifications/notifications.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate, positionOf } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import { matchNotifications } from './notifications.ts'
import {
  countInterestedOf,
  countMatches,
  findMatchArea,
  isOwnWant,
  listMatchRows,
  listToldLocations,
  listWantedByRows,
  listWantsWithTerms,
  type MatchIds,
  type Position,
  updateDismissed,
  updateRestored,
} from './queries.ts'
import { changeSwaps } from './swaps.ts'

/** Returns the matches of the caller's wants, or of one of them. */
export async function pageOfMatches(
  db: Db,
  caller: number,
  { want_id, limit, cursor }: z.output<typeof listMatches.query>,
): Promise<Page<Match>> {
  const page = [positionAt(cursor), await listNearbyPostalCodes(db, caller), limit + 1] as const
  if (want_id !== undefined && !(await isOwnWant(db, want_id, caller))) return { rows: [], next: undefined }
  const found =
    want_id === undefined
      ? await listMatchRows(db, 'user_id', caller, ...page)
      : await listMatchRows(db, 'want_id', want_id, ...page)
  const { rows, next } = paginate(found, limit, ({ is_swap, id }) => `${is_swap ? 1 : 0} ${id}`)
  const listings = await visibleListings(
    db,
    caller,
    rows.map(({ listing_id }) => listing_id),
  )
  const language = await languageOf(db, caller)
  const shown = rows.flatMap((row) => {
    const listing = listings.get(row.listing_id)
    return listing ? [{ ...row, listing, reason: tellStoredReason(row.reason, language, 'interested') }] : []
  })
  return { rows: shown, next }
}

function positionAt(cursor: string | undefined): Position {
  if (cursor === undefined) return { isSwap: true, id: Number.MAX_SAFE_INTEGER }
  const [isSwap, id] = positionOf(cursor, /^[01] [1-9]\d{0,14}$/).split(' ')
  return { isSwap: isSwap === '1', id: Number(id) }
}

/** Returns the postal codes within a member's radius, or null without a radius or location. */
async function listNearbyPostalCodes(db: Db, userId: number): Promise<readonly number[] | null> {
  const member = await findMatchArea(db, userId)
  if (!member || member.match_radius === null || member.postal_code_id === unknownLocation) return null
  return postalCodesWithin(member.postal_code_id, member.match_radius)
}

/** Returns the number of listings that match each of a member's wants, by want id. */
export async function listingCounts(
  db: Db,
  userId: number,
  wants: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (wants.length === 0) return new Map()
  const rows = await countMatches(db, wants, await listNearbyPostalCodes(db, userId))
  return new Map(rows.map(({ id, listing_count }) => [id, listing_count]))
}

type Needs = Pick<Deps, 'db' | 'events'>

/** Dismisses a match, so that it is no longer shown. Throws `not_found`. */
export async function dismiss({ db, events }: Needs, caller: number, match: MatchIds): Promise<void> {
  await inTransaction(db, async (tx) => {
    const dismissed = await updateDismissed(tx, caller, match)
    if (!dismissed) throw new AppError('not_found', matchMessages.notFound)
    await retract(tx, matchNotifications, { user_id: caller, from_id: dismissed.owner_id, data: match })
    await changeSwaps(events, tx, dismissed.owner_id, [caller])
  })
}

/** Restores a dismissed match if it still fits. Sends no second notification. Throws `not_found`. */
export async function restore({ db, events }: Needs, caller: number, match: MatchIds): Promise<void> {
  await inTransaction(db, async (tx) => {
    const restored = await updateRestored(tx, caller, match)
    if (!restored) throw new AppError('not_found', matchMessages.notFound)
    await changeSwaps(events, tx, restored.owner_id, [caller])
    await events.publish(tx, 'matches_found', { matches: [match] })
  })
}

/** Returns the members who want a listing of the caller, with the want of each and the reason. */
export async function pageOfInterested(
  db: Db,
  listing: OwnListing,
  { limit, cursor }: z.output<typeof listInterested.query>,
): Promise<Page<InterestedMember>> {
  const found = await listWantedByRows(db, listing.id, positionAt(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ is_swap, want }) => `${is_swap ? 1 : 0} ${want.id}`)
  const language = await languageOf(db, listing.owner_id)
  return {
    rows: rows.map((row) => ({ ...row, reason: tellStoredReason(row.reason, language, 'owner') })),
    next,
  }
}

/** Returns how many members want each of the caller's listings. A page counts listings, so it may hold few results. */
export async function pageOfInterestedCounts(
  db: Db,
  caller: number,
  { limit, cursor }: z.output<typeof countInterested.query>,
): Promise<Page<{ listing_id: number; count: number }>> {
  const found = await countInterestedOf(db, caller, decodeIdCursor(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ id }) => id)
  return {
    rows: rows.flatMap(({ id, count }) => (count > 0 ? [{ listing_id: id, count }] : [])),
    next,
  }
}

/** Returns how many members were notified of the caller's listing, and whether all are near. The job that matches it raises the number. */
export async function countToldMembers(
  db: Db,
  listing: OwnListing,
): Promise<z.output<(typeof countTold.response)[200]>> {
  const told = await listToldLocations(db, listing.id)
  const area = await findMatchArea(db, listing.owner_id)
  const near = new Set(postalCodesWithin(area?.postal_code_id ?? unknownLocation, defaultMatchRadius))
  return { count: told.length, is_near: told.length > 0 && told.every((location) => near.has(location)) }
}

/** Returns how many members want a listing that is not posted yet, up to a maximum. Throws `too_many`. */
export async function countMembersWanting(
  { db, takeToken }: Pick<Deps, 'db'> & { takeToken: (member: number) => boolean },
  caller: number,
  { title, description, category_id }: z.output<typeof countInterestedIn.body>,
): Promise<{ count: number }> {
  if (!takeToken(caller)) throw new AppError('too_many', errorMessages.tooManyAttempts, { retryAfter: 1 })
  const offer = readListing({ title, description, category_id })
  const terms = offerTerms(offer).map(conceptTerm)
  const wants = await listWantsWithTerms(db, terms, caller, category_id)
  const read = wantReader()
  const members = new Set<number>()
  for (const want of wants) {
    if (match(read(want), offer) !== undefined) members.add(want.user_id)
    if (members.size === limits.page.max) break
  }
  return { count: members.size }
}
