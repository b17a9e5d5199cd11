import { z } from 'zod/mini'
import { distanceBands, distanceBandsKm, limits, types } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { amount, briefMember, hasFields, id, line, moment, pageFields, paragraphs } from './fields.ts'
import { drawings, listingMessages } from './listings.ts'
import { oneMember } from './members.ts'
import { msg } from './message.ts'

export const tradeMessages = {
  notFound: msg('Trade not found'),
  listingNotFound: msg('Listing not found'),
  thanksNotFound: msg('Thank-you not found'),
  ownListing: msg('This is your own listing'),
  oneRequest: msg('Please ask for a listing, or propose a ring'),
  offerNotYours: msg('Please offer a listing of your own'),
  offerNotVisible: msg('The other member can not see the listing you offer'),
  ringSize: msg('A ring has {min} or {max} listings', {
    min: limits.trade.ring.min,
    max: limits.trade.ring.max,
  }),
  ringTwice: msg('Each member and each listing can be in a ring once'),
  ringWithoutYou: msg('One listing of the ring must be yours'),
  ringNotOpen: msg('Not every listing of this ring is open to rings'),
  ringNotPossible: msg('This ring is not possible any more'),
  notPossible: msg('You can not trade with this member'),
  notAllowed: msg('You can not do this in this trade'),
  givenAsWhole: msg('This listing is given as a whole'),
  notSoMany: msg('Not so many are left. Please ask for fewer.'),
  notEnough: msg('Not so many are left as this request asks for'),
  conflict: msg('This has changed in the meantime. Please look at the trade again.'),
  notAvailable: msg('This listing is not available any more'),
  listingHidden: msg('The operator has hidden this listing, so it can not be promised'),
  openAlready: msg(
    'You have an open trade about this already, with other words or listings. Please look at it first.',
  ),
  thankedAlready: msg('You have said thank you for this already'),
  promisedToYou: msg('This listing is promised to you already'),
  listingPromised: msg('This listing is promised to a member. Please end the trade first.'),
  tooMany: msg('You can have at most {max} open requests. Please wait for an answer, or withdraw one.', {
    max: limits.trade.openRequests,
  }),
  tooOften: msg('You have asked for this several times today. Please try again tomorrow.'),
  tooManyPerDay: msg('You can ask for at most {max} listings a day', {
    max: limits.trade.requestsPerDay,
  }),
  tooManyPickupChanges: msg('You can change pickups at most {max} times a day', {
    max: limits.trade.pickupChangesPerDay,
  }),
  placeTooLong: msg('A place can have at most {max} characters', { max: limits.trade.place }),
  noteTooLong: msg('A note can have at most {max} characters', { max: limits.trade.note }),
  pickupTime: msg('Please choose when the pickup starts and ends'),
  pickupPast: msg('Please choose a time in the future'),
  pickupOrder: msg('The pickup must end after it starts, within the same day'),
  pickupTooLate: msg('Please choose a time within the next {max} days', { max: limits.trade.pickupDays }),
  thanksEmpty: msg('Please write a few words'),
  thanksTooLong: msg('A thank-you can have at most {max} characters', { max: limits.trade.thanks }),
} as const

export const tradeKinds = ['single', 'swap', 'ring'] as const
export type TradeKind = (typeof tradeKinds)[number]

/** The first two states are open, the others closed. */
export const tradeStates = ['requested', 'accepted', 'done', 'declined', 'withdrawn', 'lapsed'] as const
export type TradeState = (typeof tradeStates)[number]

/** Why an unanswered trade lapsed: the listing went to another member, or is not offered any more. */
export const endReasons = ['given', 'gone'] as const
export type EndReason = (typeof endReasons)[number]

export const tradeActions = [
  'accept',
  'decline',
  'withdraw',
  'hand_over',
  'deny_hand_over',
  'set_place',
  'propose_pickup',
  'accept_pickup',
  'thank',
] as const
export type TradeAction = (typeof tradeActions)[number]

/**
 * A copy of the listing's data at the start of the trade. `featured_image` is null, and
 * `is_visible` false, if the caller may not see the listing now. `drawing` is shown instead of a photo. `title` and `drawing` are null
 * for others than the owner while the operator hides the listing or suspends its owner.
 */
export const tradeListing = z.object({
  id: z.int(),
  title: z.nullable(z.string()),
  featured_image: z.nullable(z.string()),
  drawing: z.nullable(z.literal(drawings)),
  type_id: z.literal(Object.values(types)),
  price: z.number(),
  owner_id: z.int(),
  is_visible: z.boolean(),
})
export type TradeListing = z.output<typeof tradeListing>

/**
 * One listing from its giver to its taker. The members are null if they have left; their ids stay. `accepted`: the giver has
 * agreed. `confirm_at` is when the giver's silence confirms the handover: null unless the taker says that they have it and the giver has
 * not answered. `pickup_place` is where the giver hands it over: only for giver and taker, while it is promised and 30 days after. `quantity` is how many of `unit` are asked for, null for a listing that is given as a whole. `position` is the place in line, 1 for the first, while the trade is requested and the listing asked for.
 */
export const tradeLeg = z.object({
  listing: tradeListing,
  giver_id: z.int(),
  giver: z.nullable(briefMember),
  taker_id: z.int(),
  taker: z.nullable(briefMember),
  quantity: z.nullable(z.int()),
  unit: z.nullable(z.string()),
  accepted: z.boolean(),
  handed_over: z.boolean(),
  confirm_at: z.nullable(moment),
  pickup_place: z.nullable(z.string()),
  position: z.nullable(z.int()),
})
export type TradeLeg = z.output<typeof tradeLeg>

/** `author` thanks `receiver`. `listing_title` is the title of the listing that was given; null unless it was public, and while it is hidden. */
export const thankYou = z.object({
  id: z.int(),
  trade_id: z.int(),
  author: briefMember,
  receiver_id: z.int(),
  text: z.string(),
  listing_title: z.nullable(z.string()),
  created_at: moment,
})
export type ThankYou = z.output<typeof thankYou>

/** `accepted`: every other party has accepted it. A new proposal replaces the old one. */
export const pickup = z.object({
  starts_at: moment,
  ends_at: moment,
  proposed_by: z.int(),
  accepted: z.boolean(),
})
export type Pickup = z.output<typeof pickup>

/**
 * `requester_id` requested or proposed it. `expires_at` is when an open trade lapses. `end_reason` says why a lapsed one did, null if
 * nobody took the next step in time or the listing has ended. `allowed` has the steps that the caller can take
 * now. `requester` is only for members who have to answer an open request: town, distance band, how many thanks they have
 * received and how many friends both have. Null otherwise.
 */
export const trade = z.object({
  id: z.int(),
  kind: z.enum(tradeKinds),
  state: z.enum(tradeStates),
  end_reason: z.nullable(z.enum(endReasons)),
  requester_id: z.int(),
  note: z.nullable(z.string()),
  legs: z.array(tradeLeg),
  created_at: moment,
  updated_at: moment,
  expires_at: z.nullable(moment),
  pickup: z.nullable(pickup),
  allowed: z.array(z.enum(tradeActions)),
  requester: z.nullable(
    z.object({
      city: z.nullable(z.string()),
      state: z.nullable(z.string()),
      within_miles: z.nullable(z.literal(distanceBands)),
      within_km: z.nullable(z.literal(distanceBandsKm)),
      thanks_count: z.int(),
      mutual_friend_count: z.int(),
    }),
  ),
  /** Lists the thank-yous of the parties, without those that their receivers hide. */
  thanks: z.array(z.extend(z.omit(thankYou, { author: true }), { author_id: z.int() })),
})
export type Trade = z.output<typeof trade>

/** One of: a listing; a listing for one of the caller's own; a ring of listings in the order of giving. */
export const newTrade = z
  .object({
    listing_id: z.optional(id),
    /** How many of the listing, 1 by default. For a listing that is given as a whole at most 1. */
    quantity: z.optional(amount(listingMessages.quantityOutside)),
    offer_listing_id: z.optional(id),
    ring: z.optional(
      z
        .array(id)
        .check(
          z.minLength(limits.trade.ring.min, tradeMessages.ringSize),
          z.maxLength(limits.trade.ring.max, tradeMessages.ringSize),
        ),
    ),
    note: z.optional(paragraphs(limits.trade.note, tradeMessages.noteTooLong)),
  })
  .check(
    z.refine(
      ({ listing_id, offer_listing_id, ring }) =>
        (listing_id === undefined) !== (ring === undefined) && !(ring && offer_listing_id !== undefined),
      { path: ['listing_id'], message: tradeMessages.oneRequest, when: ({ value }) => hasFields(value) },
    ),
  )
export type NewTrade = z.output<typeof newTrade>

/** Either a proposal (both times) or `accept: true` for the current one. `accept` with both times accepts only a proposal of these times. */
export const pickupChange = z
  .object({
    starts_at: z.optional(z.iso.datetime({ offset: true, error: tradeMessages.pickupTime })),
    ends_at: z.optional(z.iso.datetime({ offset: true, error: tradeMessages.pickupTime })),
    accept: z.optional(z.literal(true)),
  })
  .check(
    z.refine(
      ({ starts_at, ends_at, accept }) =>
        (starts_at === undefined) === (ends_at === undefined) && (accept || starts_at !== undefined),
      { path: ['starts_at'], message: tradeMessages.pickupTime, when: ({ value }) => hasFields(value) },
    ),
    z.refine(
      ({ starts_at = '', ends_at = '' }) => {
        const span = Date.parse(ends_at) - Date.parse(starts_at)
        return !(span <= 0 || span > limits.trade.pickupHours * 3_600_000)
      },
      { path: ['ends_at'], message: tradeMessages.pickupOrder },
    ),
  )
export type PickupChange = z.output<typeof pickupChange>

export const createTrade = endpoint({
  method: 'POST',
  path: '/trades',
  summary:
    'Request a listing, or propose a swap or a ring. A repeated call gets 200 with the open trade, or 409 if its listings or note differ',
  auth: 'member',
  body: newTrade,
  notFound: tradeMessages.listingNotFound,
  response: { 201: trade, 200: trade },
})

/**
 * With `listing_id` of the caller's own listing: its requests in order of arrival, with the promised one. Of another's: the caller's
 * own trades about it, newest first. With `with`: the trades with a member, for the cards of a conversation.
 */
export const listTrades = endpoint({
  method: 'GET',
  path: '/trades',
  summary:
    "List the caller's trades, newest first; the requests for the caller's listing in order of arrival; or those with a member",
  auth: 'member',
  query: z.object({
    state: z.optional(z.enum(['open', 'closed'], msg('Please choose open or closed'))),
    listing_id: z.optional(id),
    with: z.optional(id),
    ...pageFields,
  }),
  response: { 200: z.array(trade) },
})

const oneTrade = { auth: 'member', params: z.object({ id }), notFound: tradeMessages.notFound } as const

export const getTrade = endpoint({
  ...oneTrade,
  method: 'GET',
  path: '/trades/{id}',
  summary: 'Get a trade of the caller',
  response: { 200: trade },
})

export const acceptTrade = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/accept',
  summary: 'Accept a trade; promises the listings when all givers have accepted',
  response: { 200: trade },
})

export const declineTrade = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/decline',
  summary: 'Decline a trade; a ring does not reveal who declined',
  response: { 200: trade },
})

export const withdrawTrade = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/withdraw',
  summary: 'Withdraw a request, or end an accepted trade',
  response: { 200: trade },
})

/** The giver confirms the handover. The taker asks the giver to, whose silence confirms it. Without `listing_id` it is the listing that the caller takes or, for the giver of a single trade, the one they give. */
export const handOverTrade = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/hand-over',
  summary:
    'Mark a listing as handed over, or say that one has it; the trade is done when all are handed over',
  body: z.object({ listing_id: z.optional(id) }),
  response: { 200: trade },
})

export const denyHandOver = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/deny-hand-over',
  summary: 'Say that the taker does not have the listing yet; it stays promised',
  response: { 200: trade },
})

export const changePickup = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/pickup',
  summary: 'Propose a pickup time, or accept the proposed one',
  body: pickupChange,
  response: { 200: trade },
})

export const newPlace = z.object({ place: line(limits.trade.place, tradeMessages.placeTooLong) })

export const setPickupPlace = endpoint({
  ...oneTrade,
  method: 'PUT',
  path: '/trades/{id}/place',
  summary: 'Tell the taker where the caller hands a promised listing over; an empty place deletes it',
  body: newPlace,
  response: { 200: trade },
})

export const getPickupCalendar = endpoint({
  ...oneTrade,
  method: 'GET',
  path: '/trades/{id}/pickup.ics',
  summary: 'Get the pickup as an iCalendar file (RFC 5545)',
  response: { 200: 'bytes' },
})

export const newThankYou = z.object({
  text: line(limits.trade.thanks, tradeMessages.thanksTooLong, tradeMessages.thanksEmpty).check(
    z.minLength(1, tradeMessages.thanksEmpty),
  ),
})

export const thankForTrade = endpoint({
  ...oneTrade,
  method: 'POST',
  path: '/trades/{id}/thanks',
  summary:
    'Thank the other side of a done trade, in a ring the giver; a repeated call gets 200, or 409 with another text',
  body: newThankYou,
  response: { 201: thankYou, 200: thankYou },
})

export const listThanks = endpoint({
  ...oneMember,
  method: 'GET',
  path: '/auth/users/{id}/thanks',
  summary: 'List the thank-yous to a member, newest first',
  query: z.object(pageFields),
  response: { 200: z.array(thankYou) },
})

export const hideThanks = endpoint({
  method: 'DELETE',
  path: '/thanks/{id}',
  summary: 'Hide a received thank-you',
  auth: 'member',
  params: z.object({ id }),
  notFound: tradeMessages.thanksNotFound,
  response: { 204: 'nothing' },
})

/**
 * A ring that the members can propose with the ids of its listings. `reason` says why the listing of a leg fits the taker's want.
 */
export const ringSuggestion = z.object({
  legs: z.array(
    z.object({ listing: tradeListing, giver: briefMember, taker: briefMember, reason: z.string() }),
  ),
})
export type RingSuggestion = z.output<typeof ringSuggestion>

export const listRings = endpoint({
  method: 'GET',
  path: '/trades/rings',
  summary: 'List suggested rings of three or four members, the best first',
  auth: 'member',
  response: { 200: z.array(ringSuggestion) },
})
