import { setImmediate as turn } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { states } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { milesBetween, unknownLocation } from '#server/features/locations/postal-codes.ts'
import { conceptTerm } from '#server/features/matching/index-terms.ts'
import { categoriesAgree, matchRead, offerOf, wishOf } from '#server/features/matching/match.ts'
import type { Match } from '#server/features/matching/reason.ts'
import { announce, type Notice } from '#server/features/notifications/notifications.ts'
import type { Tables } from '#server/tables.ts'
import {
  type FoundMatch,
  type HeldWant,
  holdListing,
  holdMembers,
  holdWant,
  insertMatches,
  listFriendIds,
  listingsAtOnce,
  listOffering,
  listOffersOf,
  listSwappers,
  listWantIdsOf,
  listWanting,
  listWantingAmong,
  type OfferedListing,
  settleIn,
  updateSwaps,
  updateUnfit,
  updateUnfitWant,
  type WantCandidate,
  type WanterRow,
  wantsAtOnce,
} from './finding-queries.ts'
import { matchListing, matchWant } from './job-kinds.ts'
import { type News, tell } from './telling.ts'

interface Needs {
  readonly db: Deps['db']
  readonly jobs: Pick<Deps['jobs'], 'add'>
  readonly realtime: Pick<Deps['realtime'], 'tell'>
}
type Data<Kind extends { data?: object }> = NonNullable<Kind['data']>

/**
 * Finds a part of the wants that a listing fits, keeps them as matches and tells of those that are new; takes away those that
 * fit no more. What is left of the wants is another job, so that others get their turn in between.
 */
export async function findWants(
  { db, jobs, realtime }: Needs,
  { listing_id, after = 0, only }: Data<typeof matchListing>,
): Promise<void> {
  const notices = await db.transaction().execute(async (tx) => {
    await settleIn(tx)
    const listing = await holdListing(tx, listing_id)
    if (!listing) return []
    const { owner_id } = listing
    const offer = offerOf(listing)
    const terms = isOnOffer(listing) ? [...offer.byTerm.keys(), ...offer.words].map(conceptTerm) : []
    const members = only === undefined ? await audienceOf(tx, listing) : [only]
    const candidates = members
      ? await listWantingAmong(tx, listing, terms, after, members)
      : await listWanting(tx, listing, terms, after)
    const last = candidates.at(-1)
    if (last && candidates.length === wantsAtOnce)
      await jobs.add(tx, matchListing, {
        user_id: owner_id,
        listing_id,
        after: last.id,
        ...(only && { only }),
      })

    const wishes = new Map<string, ReturnType<typeof wishOf>>()
    const wishFor = (title: string) => {
      const wish = wishes.get(title) ?? wishOf({ title })
      wishes.set(title, wish)
      return wish
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
          ? matchRead(wishFor(want.title), offer)
          : undefined
      if (why) found.push(foundMatch(want, listing, why, isHeard(want, listing, want.is_blocked)))
      else if (want.fits) ended.push(want.id)
      if (why || want.fits) touched.push(want.user_id)
    }
    if (touched.length === 0) return []
    await holdMembers(tx, [...touched, owner_id])
    const kept = found.length > 0 ? await insertMatches(tx, found) : []
    if (ended.length > 0) await updateUnfit(tx, listing_id, ended)
    const isNew = new Set(kept.filter((match) => match.is_new).map(({ want_id }) => want_id))
    const news = newsOfListing(candidates, listing, isNew)
    return tell({ jobs }, tx, news, await updateSwaps(tx, owner_id, touched))
  })
  for (const notice of notices) announce(realtime, notice)
}

/** Who may see it at all; undefined is everybody. */
async function audienceOf(
  tx: Transaction<Tables>,
  { is_public, owner_id }: OfferedListing,
): Promise<number[] | undefined> {
  return is_public ? undefined : listFriendIds(tx, owner_id)
}

function isOnOffer({ is_active, state_id }: OfferedListing): boolean {
  return is_active && state_id !== states.gone
}

/** Whether the want is another's, of an agreeing category, and near enough for who wants it. */
function mayHave(want: HeldWant, listing: OfferedListing): boolean {
  return (
    want.user_id !== listing.owner_id &&
    categoriesAgree(want.category_id, listing.category_id) &&
    isNearEnough(want, listing.postal_code_id)
  )
}

/** Within the radius; from where, or to where, nobody knows, passes. */
function isNearEnough({ match_radius, postal_code_id: from }: WanterRow, to: number): boolean {
  return (
    match_radius === null ||
    from === unknownLocation ||
    to === unknownLocation ||
    milesBetween(from, to) <= match_radius
  )
}

/** Whether a match is told, or only kept: for when what keeps it from being seen ends. */
function isHeard(wanter: WanterRow, { is_hidden }: OfferedListing, isBlocked: boolean): boolean {
  return !wanter.is_suspended && !is_hidden && !isBlocked
}

function foundMatch(want: HeldWant, listing: OfferedListing, why: Match, isHeard: boolean): FoundMatch {
  return {
    want_id: want.id,
    listing_id: listing.id,
    user_id: want.user_id,
    owner_id: listing.owner_id,
    ...why,
    want_title: want.title,
    by_mail: isHeard && want.mail_matches !== 'never',
    by_push: isHeard && want.has_push,
  }
}

/** One piece of news for each member, whatever number of their wants a listing fits. */
function newsOfListing(
  candidates: readonly WantCandidate[],
  listing: OfferedListing,
  isNew: ReadonlySet<number>,
): News[] {
  const heard = candidates.filter((want) => isNew.has(want.id) && isHeard(want, listing, want.is_blocked))
  return Array.from(Map.groupBy(heard, ({ user_id }) => user_id).values(), (wants) => wants).flatMap(
    ([want, ...others]) =>
      want
        ? [
            {
              wanter: want,
              owner_id: listing.owner_id,
              want_id: want.id,
              listing_id: listing.id,
              more: others.length,
            },
          ]
        : [],
  )
}

const mostSteps = 50
/** A new want is met by so many of the newest listings that fit, and all that come after it. */
const mostFound = 200

/**
 * Finds what fits a want among what there is, newest first, a part at a time. When all is found, its member is told once
 * of all of it. Announce the notices after the commit.
 */
export async function findListings(
  { jobs }: Pick<Needs, 'jobs'>,
  tx: Transaction<Tables>,
  {
    want_id,
    before = Number.MAX_SAFE_INTEGER,
    steps = 1,
    found = 0,
    newest,
    quiet,
  }: Omit<Data<typeof matchWant>, 'user_id'>,
): Promise<Notice[]> {
  const held = await holdWant(tx, want_id)
  if (!held) return []
  const want: HeldWant = quiet ? { ...held, mail_matches: 'never', has_push: false } : held
  const wish = wishOf(want)
  const terms = [...new Set(wish.targets.map(({ term }) => conceptTerm(term)))]
  const candidates = await listOffering(tx, want, terms, before)
  const fitting: { match: FoundMatch; isHeard: boolean }[] = []
  for (const [index, listing] of candidates.entries()) {
    if (index % 10 === 9) await turn()
    const maySee = listing.is_public || listing.is_friend
    if (!isOnOffer(listing) || !maySee || !mayHave(want, listing)) continue
    const why = matchRead(wish, offerOf(listing))
    const heard = isHeard(want, listing, listing.is_blocked)
    if (why) fitting.push({ match: foundMatch(want, listing, why, heard), isHeard: heard })
  }
  const owners = fitting.map(({ match }) => match.owner_id)
  await holdMembers(tx, [...owners, want.user_id])
  const matches = fitting.map(({ match }) => match)
  const kept = matches.length > 0 ? await insertMatches(tx, matches) : []
  const swapped = owners.length > 0 ? await updateSwaps(tx, want.user_id, owners) : []

  const heard = new Set(fitting.flatMap(({ match, isHeard }) => (isHeard ? match.listing_id : [])))
  const fresh = kept
    .filter((match) => match.is_new && heard.has(match.listing_id))
    .map((row) => row.listing_id)
  const so = {
    found: found + fresh.length,
    newest: newest ?? (fresh.length > 0 ? Math.max(...fresh) : undefined),
  }
  const last = candidates.at(-1)
  const goesOn = last && candidates.length === listingsAtOnce && so.found < mostFound && steps < mostSteps
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
  const news = goesOn || so.newest === undefined ? [] : await newsOfWant(tx, want, so.newest, so.found - 1)
  return tell({ jobs }, tx, news, swapped)
}

/** A want that says something else now: what fitted it has to be found again. */
export function forgetFits(tx: Transaction<Tables>, wantId: number): Promise<void> {
  return endingSwaps(tx, 'want', [wantId], () => updateUnfitWant(tx, wantId))
}

/** With what goes in the work end the swaps that it was part of, for the other side as well. */
export async function endingSwaps<Result>(
  tx: Transaction<Tables>,
  what: 'want' | 'listing',
  ids: readonly number[],
  work: () => Promise<Result>,
): Promise<Result> {
  const swappers = await listSwappers(tx, what, ids)
  const result = await work()
  for (const [user, pairs] of Map.groupBy(swappers, ({ user_id }) => user_id)) {
    await updateSwaps(
      tx,
      user,
      pairs.map(({ owner_id }) => owner_id),
    )
  }
  return result
}

/** Finds anew what two members can swap, when what they may see of each other has changed. Tells nobody. */
export async function refreshSwaps(tx: Transaction<Tables>, one: number, other: number): Promise<void> {
  await updateSwaps(tx, one, [other])
}

async function newsOfWant(
  tx: Transaction<Tables>,
  want: HeldWant,
  listing_id: number,
  more: number,
): Promise<News[]> {
  const listing = await holdListing(tx, listing_id)
  if (!listing) return []
  return [{ wanter: want, owner_id: listing.owner_id, want_id: want.id, listing_id, more }]
}

const mostOffers = 200

/** What either of two new friends shows to friends alone, for the other. */
export async function findBetweenFriends(
  deps: Needs,
  { user_id, friend_id }: { user_id: number; friend_id: number },
): Promise<void> {
  for (const [owner, friend] of [
    [user_id, friend_id],
    [friend_id, user_id],
  ] as const) {
    const offers = await listOffersOf(deps.db, owner, mostOffers)
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
  const offers = await listOffersOf(db, user_id, mostOffers)
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
