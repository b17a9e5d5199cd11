import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Deps } from '#server/deps.ts'
import { milesBetween, unknownLocation } from '#server/features/locations/postal-codes.ts'
import type { Match } from '#server/features/matching/explain.ts'
import type { ExtractedWant } from '#server/features/matching/extract-want.ts'
import { conceptTerm } from '#server/features/matching/index-terms.ts'
import { categoriesAgree, offerTerms, wantTerms } from '#server/features/matching/match.ts'
import { findMatch, readListing, readWant, wantReader } from '#server/features/matching/pipeline.ts'
import { lockMembersForShare } from '#server/features/members/lock-members.ts'
import type { NotifyDeps } from '#server/features/notifications/notifications.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { Tx } from '#server/tables.ts'
import {
  type InterestedMember,
  insertMatches,
  type LockedWant,
  listFriendIds,
  listingBatchSize,
  listListingCandidates,
  listOffersOf,
  listWantCandidates,
  listWantCandidatesAmong,
  listWantIdsOf,
  lockListing,
  lockWant,
  type MatchToStore,
  type OfferedListing,
  type StoredMatch,
  setTransactionOptions,
  updateUnfit,
  type WantCandidate,
  wantBatchSize,
} from './finding-queries.ts'
import { matchListing, matchWant } from './job-kinds.ts'
import { type NewMatch, notifyMembers } from './notifying.ts'
import { changeSwaps } from './swaps.ts'

type Finder = NotifyDeps & Pick<Deps, 'events'>
type Needs = Finder & Pick<Deps, 'db'>
type Data<Kind extends { data?: object }> = NonNullable<Kind['data']>

/**
 * Matches a listing with a batch of wants: stores matches, notifies of new ones and ends those that no longer fit. The next batch is
 * another job, so that other jobs can run in between.
 */
export async function matchListingWithWants(
  { db, events, jobs, realtime }: Needs,
  { listing_id, after = 0, only }: Data<typeof matchListing>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await setTransactionOptions(tx)
    const listing = await lockListing(tx, listing_id)
    if (!listing) return
    const { owner_id } = listing
    const offer = readListing(listing)
    const terms = listing.is_on_offer ? offerTerms(offer).map(conceptTerm) : []
    const audience = await audienceOf(tx, listing)
    const members =
      only === undefined ? audience : [only].filter((member) => audience?.includes(member) ?? true)
    const candidates = members
      ? await listWantCandidatesAmong(tx, listing_id, after, terms, owner_id, members)
      : await listWantCandidates(tx, listing_id, after, terms, owner_id, listing.category_id)
    const last = candidates.at(-1)
    if (last && candidates.length === wantBatchSize)
      await jobs.add(tx, matchListing, {
        user_id: owner_id,
        listing_id,
        after: last.id,
        ...(only && { only }),
      })

    const among = only === undefined ? candidates : candidates.filter(({ user_id }) => user_id === only)
    const { matches, endedWants, affectedMembers } = await compareWants(listing, offer, among, members)
    if (affectedMembers.length === 0) return
    await lockMembersForShare(tx, [...affectedMembers, owner_id])
    const stored = matches.length > 0 ? await insertMatches(tx, matches) : []
    if (endedWants.length > 0) await updateUnfit(tx, listing_id, endedWants)
    await publishMatches(events, tx, stored)
    const newWants = new Set(stored.filter((match) => match.is_new).map(({ want_id }) => want_id))
    const newMatches = newMatchesOfListing(candidates, listing, newWants)
    await notifyMembers(
      { jobs, realtime },
      tx,
      newMatches,
      await changeSwaps(events, tx, owner_id, affectedMembers),
    )
  })
}

/** Compares wants with a listing. Returns the matches, the wants that no longer fit, and the members of both. */
async function compareWants(
  listing: OfferedListing,
  offer: ReturnType<typeof readListing>,
  candidates: readonly WantCandidate[],
  members: readonly number[] | undefined,
) {
  const read = wantReader()
  const audience = members && new Set(members)
  const matches: MatchToStore[] = []
  const endedWants: number[] = []
  const affectedMembers: number[] = []
  for (const [index, want] of candidates.entries()) {
    if (index % 50 === 49) await yieldToEventLoop()
    const match =
      listing.is_on_offer && isEligible(want, listing) && (audience?.has(want.user_id) ?? true)
        ? findMatch(read(want), offer)
        : undefined
    if (match)
      matches.push(matchToStore(want, listing, match, isNotified(want, listing, want.is_either_blocked)))
    else if (want.fits) endedWants.push(want.id)
    if (match || want.fits) affectedMembers.push(want.user_id)
  }
  return { matches, endedWants, affectedMembers }
}

/** Publishes the matches that are new or fit again. */
async function publishMatches(events: Deps['events'], tx: Tx, stored: readonly StoredMatch[]): Promise<void> {
  const matches = stored.filter(({ is_new, fits_again }) => is_new || fits_again)
  if (matches.length > 0) await events.publish(tx, 'matches_found', { matches })
}

/** Returns the members who may see a listing, or undefined for a public one. */
async function audienceOf(tx: Tx, { is_public, owner_id }: OfferedListing): Promise<number[] | undefined> {
  return is_public ? undefined : listFriendIds(tx, owner_id)
}

/** Returns whether the want has another owner and a compatible category, and the listing is within the member's radius. */
function isEligible(want: LockedWant, listing: OfferedListing): boolean {
  return (
    want.user_id !== listing.owner_id &&
    categoriesAgree(want.category_id, listing.category_id) &&
    isNearEnough(want, listing.postal_code_id)
  )
}

/** Returns whether a location is within the member's radius, or either location is unknown. */
function isNearEnough({ match_radius, postal_code_id: from }: InterestedMember, to: number): boolean {
  return (
    match_radius === null ||
    from === unknownLocation ||
    to === unknownLocation ||
    milesBetween(from, to) <= match_radius
  )
}

/** Returns whether to notify of a match. Others are stored without a notification, because the listing may become visible again. */
function isNotified(
  interested: InterestedMember,
  { is_withheld, is_repeated }: OfferedListing,
  isEitherBlocked: boolean,
): boolean {
  return !interested.is_suspended && !is_withheld && !is_repeated && !isEitherBlocked
}

function matchToStore(
  want: LockedWant,
  listing: OfferedListing,
  match: Match,
  isNotified: boolean,
): MatchToStore {
  return {
    want_id: want.id,
    listing_id: listing.id,
    user_id: want.user_id,
    owner_id: listing.owner_id,
    ...match,
    want_title: want.title,
    text_hash: listing.text_hash,
    by_mail: isNotified && want.mail_matches !== 'never',
    by_push: isNotified && want.has_push,
  }
}

/** Returns one new match for each member, even if the listing fits several of their wants. */
function newMatchesOfListing(
  candidates: readonly WantCandidate[],
  listing: OfferedListing,
  newWants: ReadonlySet<number>,
): NewMatch[] {
  const notified = candidates.filter(
    (want) => newWants.has(want.id) && isNotified(want, listing, want.is_either_blocked),
  )
  const byMember = Map.groupBy(notified, ({ user_id }) => user_id)
  return [...byMember.values()].flatMap(([want, ...others]) =>
    want
      ? [
          {
            interested: want,
            owner_id: listing.owner_id,
            want_id: want.id,
            listing_id: listing.id,
            more: others.length,
          },
        ]
      : [],
  )
}

/** The maximum number of batches for a want. */
const maxSteps = 50
/** The maximum number of existing listings that a new want matches. Later listings are not limited. */
const maxFound = 200

/**
 * Matches a want with a batch of existing listings, newest first. The next batch is another job. The last one sends a single
 * notification for all batches.
 *
 * Step 0 is part of the transaction that posts or renames the want. Its job begins with the same batch again after the commit, because
 * the want and a listing or match that is stored at the same moment do not see each other.
 */
export async function matchWantWithListings(
  { events, jobs, realtime }: Finder,
  tx: Tx,
  {
    want_id,
    before = Number.MAX_SAFE_INTEGER,
    steps = 1,
    found = 0,
    newest,
    quiet,
  }: Omit<Data<typeof matchWant>, 'user_id'>,
): Promise<void> {
  const locked = await lockWant(tx, want_id)
  if (!locked) return
  const want: LockedWant = quiet ? { ...locked, mail_matches: 'never', has_push: false } : locked
  const extracted = readWant(want)
  const terms = wantTerms(extracted).map(conceptTerm)
  const candidates = await listListingCandidates(tx, want, terms, before)
  const fitting = await listFitting(want, extracted, candidates)
  const owners = fitting.map(({ match }) => match.owner_id)
  await lockMembersForShare(tx, [...owners, want.user_id])
  const matches = fitting.map(({ match }) => match)
  const stored = matches.length > 0 ? await insertMatches(tx, matches) : []
  await publishMatches(events, tx, stored)
  const swapped = owners.length > 0 ? await changeSwaps(events, tx, want.user_id, owners) : []

  const notified = new Set(fitting.flatMap(({ match, isNotified }) => (isNotified ? match.listing_id : [])))
  const newListings = stored
    .filter((match) => match.is_new && notified.has(match.listing_id))
    .map((row) => row.listing_id)
  const totals = {
    found: found + newListings.length,
    newest: newest ?? (newListings.length > 0 ? Math.max(...newListings) : undefined),
  }
  const last = candidates.at(-1)
  const hasNextBatch =
    last && candidates.length === listingBatchSize && totals.found < maxFound && steps < maxSteps
  if (hasNextBatch || steps === 0) {
    const { newest, ...rest } = totals
    await jobs.add(tx, matchWant, {
      user_id: want.user_id,
      want_id,
      steps: steps + 1,
      ...(steps > 0 && last && { before: last.id }),
      ...(hasNextBatch && { ...rest, ...(newest !== undefined && { newest }) }),
      ...(quiet && { quiet }),
    })
  }
  const newMatches =
    hasNextBatch || totals.newest === undefined
      ? []
      : await newMatchesOfWant(tx, want, totals.newest, totals.found - 1)
  await notifyMembers({ jobs, realtime }, tx, newMatches, swapped)
}

/** Returns the matches of a want with those of the candidates that its member may see, and whether to notify of each. */
async function listFitting(
  want: LockedWant,
  extracted: ExtractedWant,
  candidates: Awaited<ReturnType<typeof listListingCandidates>>,
) {
  const fitting: { match: MatchToStore; isNotified: boolean }[] = []
  for (const [index, listing] of candidates.entries()) {
    if (index % 10 === 9) await yieldToEventLoop()
    const maySee = listing.is_public || listing.is_friend
    if (!listing.is_on_offer || !maySee || !isEligible(want, listing)) continue
    const match = findMatch(extracted, readListing(listing))
    const notified = isNotified(want, listing, listing.is_either_blocked)
    if (match) fitting.push({ match: matchToStore(want, listing, match, notified), isNotified: notified })
  }
  return fitting
}

/** Returns one new match for all matches of a want: the newest listing and the number of others. */
async function newMatchesOfWant(
  tx: Tx,
  want: LockedWant,
  listing_id: number,
  more: number,
): Promise<NewMatch[]> {
  const listing = await lockListing(tx, listing_id)
  if (!listing) return []
  return [{ interested: want, owner_id: listing.owner_id, want_id: want.id, listing_id, more }]
}

/** The maximum number of a member's listings that are matched again, newest first. */
const maxOffers = 200

/** Matches the friends-only listings of each of two new friends with the other's wants. */
export async function matchBetweenFriends(
  deps: Needs,
  { user_id, friend_id }: { user_id: number; friend_id: number },
): Promise<void> {
  for (const [owner, friend] of [
    [user_id, friend_id],
    [friend_id, user_id],
  ] as const) {
    const offers = await listOffersOf(deps.db, owner, maxOffers)
    for (const { id } of offers.filter(({ is_public }) => !is_public))
      await matchListingWithWants(deps, { user_id: owner, listing_id: id, only: friend })
  }
}

/** Matches all wants and listings of a member again after a change of their location or radius. */
export async function matchAllOf(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { user_id }: { user_id: number },
): Promise<void> {
  const wants = await listWantIdsOf(db, user_id)
  const offers = await listOffersOf(db, user_id, maxOffers)
  await inTransaction(db, async (tx) => {
    await jobs.addAll(
      tx,
      matchWant,
      wants.map((want_id) => ({ user_id, want_id })),
    )
    await jobs.addAll(
      tx,
      matchListing,
      offers.map(({ id }) => ({ user_id, listing_id: id })),
    )
  })
}
