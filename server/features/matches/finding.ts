import { setImmediate as turn } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { states } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { milesBetween, unknownLocation } from '#server/features/locations/postal-codes.ts'
import type { Match } from '#server/features/matching/explain.ts'
import { extractOffer } from '#server/features/matching/extract-offer.ts'
import { extractWant } from '#server/features/matching/extract-want.ts'
import { conceptTerm } from '#server/features/matching/index-terms.ts'
import { categoriesAgree, matchExtracted } from '#server/features/matching/match.ts'
import type { Tables } from '#server/tables.ts'
import {
  deleteMatchesOf,
  type FoundMatch,
  type InterestedMember,
  insertMatches,
  type LockedWant,
  listFriendIds,
  listingBatchSize,
  listOffering,
  listOffersOf,
  listSwappers,
  listWantCandidates,
  listWantCandidatesAmong,
  listWantIdsOf,
  lockListing,
  lockMembers,
  lockWant,
  type OfferedListing,
  setTransactionOptions,
  updateSwaps,
  updateUnfit,
  updateUnfitWant,
  type WantCandidate,
  wantBatchSize,
} from './finding-queries.ts'
import { matchListing, matchWant } from './job-kinds.ts'
import { type Channels, type NewMatch, notifyMembers } from './notification-schedule.ts'

type Needs = Channels & Pick<Deps, 'db'>
type Data<Kind extends { data?: object }> = NonNullable<Kind['data']>

/**
 * Finds a part of the wants that a listing fits, keeps them as matches and tells of those that are new; takes away those that
 * fit no more. What is left of the wants is another job, so that others get their turn in between.
 */
export async function findWants(
  { db, jobs, realtime }: Needs,
  { listing_id, after = 0, only }: Data<typeof matchListing>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await setTransactionOptions(tx)
    const listing = await lockListing(tx, listing_id)
    if (!listing) return
    const { owner_id } = listing
    const offer = extractOffer(listing)
    const terms = isOnOffer(listing) ? [...offer.byTerm.keys(), ...offer.words].map(conceptTerm) : []
    const members = only === undefined ? await audienceOf(tx, listing) : [only]
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

    const extractedWants = new Map<string, ReturnType<typeof extractWant>>()
    const extractedWantOf = (title: string) => {
      const extracted = extractedWants.get(title) ?? extractWant({ title })
      extractedWants.set(title, extracted)
      return extracted
    }
    const mayKnow = members && new Set(members)
    const found: FoundMatch[] = []
    const ended: number[] = []
    const touched: number[] = []
    for (const [index, want] of candidates.entries()) {
      if (index % 50 === 49) await turn()
      if (only !== undefined && want.user_id !== only) continue
      const why =
        isOnOffer(listing) && mayHave(want, listing) && (mayKnow?.has(want.user_id) ?? true)
          ? matchExtracted(extractedWantOf(want.title), offer)
          : undefined
      if (why) found.push(foundMatch(want, listing, why, isNotified(want, listing, want.is_blocked)))
      else if (want.fits) ended.push(want.id)
      if (why || want.fits) touched.push(want.user_id)
    }
    if (touched.length === 0) return
    await lockMembers(tx, [...touched, owner_id])
    const kept = found.length > 0 ? await insertMatches(tx, found) : []
    if (ended.length > 0) await updateUnfit(tx, listing_id, ended)
    const isNew = new Set(kept.filter((match) => match.is_new).map(({ want_id }) => want_id))
    const newMatches = newMatchesOfListing(candidates, listing, isNew)
    await notifyMembers({ jobs, realtime }, tx, newMatches, await updateSwaps(tx, owner_id, touched))
  })
}

/** Returns the members who may see a listing; undefined means everybody. */
async function audienceOf(
  tx: Transaction<Tables>,
  { is_public, owner_id }: OfferedListing,
): Promise<number[] | undefined> {
  return is_public ? undefined : listFriendIds(tx, owner_id)
}

function isOnOffer({ is_active, is_current, state_id }: OfferedListing): boolean {
  return is_active && is_current && state_id !== states.gone
}

/** Whether the want is another's, of an agreeing category, and near enough for who wants it. */
function mayHave(want: LockedWant, listing: OfferedListing): boolean {
  return (
    want.user_id !== listing.owner_id &&
    categoriesAgree(want.category_id, listing.category_id) &&
    isNearEnough(want, listing.postal_code_id)
  )
}

/** Within the radius; from where, or to where, nobody knows, passes. */
function isNearEnough({ match_radius, postal_code_id: from }: InterestedMember, to: number): boolean {
  return (
    match_radius === null ||
    from === unknownLocation ||
    to === unknownLocation ||
    milesBetween(from, to) <= match_radius
  )
}

/** Returns whether to notify of a match now. Otherwise it is stored for later: the listing or the member may become visible again. */
function isNotified(
  interested: InterestedMember,
  { is_hidden }: OfferedListing,
  isBlocked: boolean,
): boolean {
  return !interested.is_suspended && !is_hidden && !isBlocked
}

function foundMatch(want: LockedWant, listing: OfferedListing, why: Match, isNotified: boolean): FoundMatch {
  return {
    want_id: want.id,
    listing_id: listing.id,
    user_id: want.user_id,
    owner_id: listing.owner_id,
    ...why,
    want_title: want.title,
    by_mail: isNotified && want.mail_matches !== 'never',
    by_push: isNotified && want.has_push,
  }
}

/** Returns one new match for each member, even if the listing fits several of their wants. */
function newMatchesOfListing(
  candidates: readonly WantCandidate[],
  listing: OfferedListing,
  isNew: ReadonlySet<number>,
): NewMatch[] {
  const notified = candidates.filter(
    (want) => isNew.has(want.id) && isNotified(want, listing, want.is_blocked),
  )
  return Array.from(Map.groupBy(notified, ({ user_id }) => user_id).values(), (wants) => wants).flatMap(
    ([want, ...others]) =>
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

const maxSteps = 50
/** A new want is met by so many of the newest listings that fit, and all that come after it. */
const maxFound = 200

/**
 * Finds what fits a want among what there is, newest first, a part at a time. When all is found, its member is told once
 * of all of it.
 */
export async function findListings(
  { jobs, realtime }: Channels,
  tx: Transaction<Tables>,
  {
    want_id,
    before = Number.MAX_SAFE_INTEGER,
    steps = 1,
    found = 0,
    newest,
    quiet,
  }: Omit<Data<typeof matchWant>, 'user_id'>,
): Promise<void> {
  const held = await lockWant(tx, want_id)
  if (!held) return
  const want: LockedWant = quiet ? { ...held, mail_matches: 'never', has_push: false } : held
  const extracted = extractWant(want)
  const terms = [...new Set(extracted.targets.map(({ term }) => conceptTerm(term)))]
  const candidates = await listOffering(tx, want, terms, before)
  const fitting: { match: FoundMatch; isNotified: boolean }[] = []
  for (const [index, listing] of candidates.entries()) {
    if (index % 10 === 9) await turn()
    const maySee = listing.is_public || listing.is_friend
    if (!isOnOffer(listing) || !maySee || !mayHave(want, listing)) continue
    const why = matchExtracted(extracted, extractOffer(listing))
    const notified = isNotified(want, listing, listing.is_blocked)
    if (why) fitting.push({ match: foundMatch(want, listing, why, notified), isNotified: notified })
  }
  const owners = fitting.map(({ match }) => match.owner_id)
  await lockMembers(tx, [...owners, want.user_id])
  const matches = fitting.map(({ match }) => match)
  const kept = matches.length > 0 ? await insertMatches(tx, matches) : []
  const swapped = owners.length > 0 ? await updateSwaps(tx, want.user_id, owners) : []

  const notified = new Set(fitting.flatMap(({ match, isNotified }) => (isNotified ? match.listing_id : [])))
  const fresh = kept
    .filter((match) => match.is_new && notified.has(match.listing_id))
    .map((row) => row.listing_id)
  const so = {
    found: found + fresh.length,
    newest: newest ?? (fresh.length > 0 ? Math.max(...fresh) : undefined),
  }
  const last = candidates.at(-1)
  const goesOn = last && candidates.length === listingBatchSize && so.found < maxFound && steps < maxSteps
  if (goesOn) {
    const { newest, ...rest } = so
    const next = { user_id: want.user_id, want_id, before: last.id, steps: steps + 1 }
    await jobs.add(tx, matchWant, {
      ...next,
      ...rest,
      ...(newest !== undefined && { newest }),
      ...(quiet && { quiet }),
    })
  }
  const newMatches =
    goesOn || so.newest === undefined ? [] : await newMatchesOfWant(tx, want, so.newest, so.found - 1)
  await notifyMembers({ jobs, realtime }, tx, newMatches, swapped)
}

/** A want that says something else now: what fitted it has to be found again. */
export function forgetFits(tx: Transaction<Tables>, wantId: number): Promise<void> {
  return endingSwaps(tx, 'want', [wantId], () => updateUnfitWant(tx, wantId))
}

/** Deletes the matches of wants or listings that are about to be deleted. */
export function deleteMatches(
  tx: Transaction<Tables>,
  what: 'want' | 'listing',
  ids: readonly number[],
): Promise<void> {
  return endingSwaps(tx, what, ids, () => deleteMatchesOf(tx, what, ids))
}

/** Runs work that ends matches. Their swaps end for the other side too. */
async function endingSwaps(
  tx: Transaction<Tables>,
  what: 'want' | 'listing',
  ids: readonly number[],
  work: () => Promise<void>,
): Promise<void> {
  const swappers = await listSwappers(tx, what, ids)
  await work()
  for (const [user, pairs] of Map.groupBy(swappers, ({ user_id }) => user_id)) {
    await updateSwaps(
      tx,
      user,
      pairs.map(({ owner_id }) => owner_id),
    )
  }
}

/** Finds anew what two members can swap, when what they may see of each other has changed. Tells nobody. */
export async function refreshSwaps(tx: Transaction<Tables>, one: number, other: number): Promise<void> {
  await updateSwaps(tx, one, [other])
}

async function newMatchesOfWant(
  tx: Transaction<Tables>,
  want: LockedWant,
  listing_id: number,
  more: number,
): Promise<NewMatch[]> {
  const listing = await lockListing(tx, listing_id)
  if (!listing) return []
  return [{ interested: want, owner_id: listing.owner_id, want_id: want.id, listing_id, more }]
}

const maxOffers = 200

/** Matches the friends-only listings of each of two new friends with the other's wants. */
export async function findBetweenFriends(
  deps: Needs,
  { user_id, friend_id }: { user_id: number; friend_id: number },
): Promise<void> {
  for (const [owner, friend] of [
    [user_id, friend_id],
    [friend_id, user_id],
  ] as const) {
    const offers = await listOffersOf(deps.db, owner, maxOffers)
    for (const { id } of offers.filter(({ is_public }) => !is_public))
      await findWants(deps, { user_id: owner, listing_id: id, only: friend })
  }
}

/** Everything of a member once more: other things are near them now. */
export async function findAllOf(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { user_id }: { user_id: number },
): Promise<void> {
  const wants = await listWantIdsOf(db, user_id)
  const offers = await listOffersOf(db, user_id, maxOffers)
  await db.transaction().execute(async (tx) => {
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
