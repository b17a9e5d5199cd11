import type { TypeId } from '#contract/constants.ts'
import type { Drawing } from '#contract/listings.ts'
import type { TradeKind, TradeState } from '#contract/trades.ts'
import { firstPhoto, imageColumns } from '#server/features/images/paths.ts'
import { isCurrent, isPublic, visibleTo, visibleUntilEnd } from '#server/features/listings/visibility.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

const lockedMembers = statement<[ids: number[]], { id: number; is_suspended: boolean }>(
  'select id, suspended_at is not null as is_suspended from users where id = any ($1::bigint[]) order by id for no key update',
)

/**
 * Locks members before they trade. Blocks and suspensions between them wait, and so do other requests of them. Returns those who
 * are there.
 */
export async function lockMembers(tx: Db<Tables>, ids: readonly number[]): Promise<number[]> {
  const members = await lockedMembers(tx, [...new Set(ids)])
  return members.filter(({ is_suspended }) => !is_suspended).map(({ id }) => id)
}

const membersLockedForShare = statement<[ids: number[]], { id: number }>(
  'select id from users where id = any ($1::bigint[]) order by id for key share',
)

/** Locks the members' rows for key share, so that none is deleted. Returns the ids of those who have not left. */
export async function lockMembersForShare(tx: Db<Tables>, ids: readonly number[]): Promise<number[]> {
  return (await membersLockedForShare(tx, [...new Set(ids)])).map(({ id }) => id)
}

const lockedListings = statement<[ids: number[]], { id: number }>(
  'select id from listings where id = any ($1::bigint[]) order by id for no key update',
)

/** Locks listings in the order of their ids. */
export async function lockListings(tx: Db<Tables>, ids: readonly number[]): Promise<void> {
  await lockedListings(tx, [...new Set(ids)])
}

export interface ListingFacts {
  id: number
  owner_id: number
  title: string
  type_id: TypeId
  price: number
  drawing: Drawing
  state_id: number
  open_to_rings: boolean
  is_public: boolean
  has_ended: boolean
  /** The trade that it is promised in. */
  promised_in: number | null
}

const listingFacts = statement<[ids: number[]], ListingFacts>(
  `select l.id, l.owner_id, l.title, l.type_id, l.price, l.drawing, l.state_id, l.open_to_rings,
     ${isPublic} as is_public, not (${isCurrent}) as has_ended,
     (select leg.trade_id from trade_legs leg where leg.listing_id = l.id and leg.status = 'promised') as promised_in
   from listings l where l.id = any ($1::bigint[])`,
)

export async function listFacts(db: Db<Tables>, ids: readonly number[]): Promise<Map<number, ListingFacts>> {
  const rows = await listingFacts(db, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

const unseen = statement<[listings: number[], members: number[]], { listing_id: number; member_id: number }>(
  `select l.id as listing_id, v.id as member_id
   from listings l cross join unnest($2::bigint[]) v (id)
   where l.id = any ($1::bigint[]) and not ${visibleUntilEnd('v.id')}`,
)

/** Returns which of the members can not see which of the listings, except for the end of the listing. */
export function listUnseen(db: Db<Tables>, listings: readonly number[], members: readonly number[]) {
  return unseen(db, [...listings], [...members])
}

const blocksAmong = statement<[members: number[]], { blocker_id: number }>(
  'select blocker_id from blocks where blocker_id = any ($1::bigint[]) and blocked_id = any ($1::bigint[]) limit 1',
)

export async function hasBlockAmong(db: Db<Tables>, members: readonly number[]): Promise<boolean> {
  return (await blocksAmong(db, [...members])).length > 0
}

const requestsCounted = statement<[member: number], { requests: number }>(
  `select count(*) as requests from trades where requester_id = $1 and state = 'requested'`,
)

export async function countRequests(db: Db<Tables>, member: number): Promise<number> {
  const [counted] = await requestsCounted(db, member)
  return counted?.requests ?? 0
}

const openOfMember = statement<
  [member: number, listing: number],
  { id: number; state: TradeState; kind: TradeKind }
>(
  `select t.id, t.state, t.kind from trade_legs leg join trades t on t.id = leg.trade_id
   where leg.listing_id = $2 and leg.is_asked and leg.status <> 'closed' and t.requester_id = $1 and t.kind <> 'ring'
   order by t.id limit 1`,
)

/** Returns a member's open request for a listing. */
export async function findRequest(db: Db<Tables>, member: number, listing: number) {
  const [request] = await openOfMember(db, member, listing)
  return request
}

const openRings = statement<[listing: number, listings: number[]], { id: number }>(
  `select t.id from trade_legs leg join trades t on t.id = leg.trade_id and t.kind = 'ring'
   where leg.listing_id = $1 and leg.status <> 'closed'
     and $2::bigint[] = (select array_agg(o.listing_id order by o.listing_id) from trade_legs o where o.trade_id = t.id)
   limit 1`,
)

/** Returns the open ring of exactly these listings. */
export async function findOpenRing(db: Db<Tables>, listings: readonly number[]): Promise<number | undefined> {
  const [first = 0] = listings
  const [ring] = await openRings(
    db,
    first,
    [...listings].sort((one, other) => one - other),
  )
  return ring?.id
}

export interface NewLeg {
  readonly listing: ListingFacts
  readonly giver_id: number
  readonly taker_id: number
  readonly is_asked: boolean
}

/** The trade's times are in days from now. */
export async function insertTrade(
  tx: Db<Tables>,
  trade: {
    kind: TradeKind
    requester_id: number
    note: string | null
    expires_at: string
    remind_at: string
  },
  legs: readonly NewLeg[],
): Promise<number> {
  const { id } = await tx.insertInto('trades').values(trade).returning('id').executeTakeFirstOrThrow()
  await tx
    .insertInto('trade_legs')
    .values(
      legs.map(
        (
          { listing: { id: listing_id, title, type_id, price, drawing }, giver_id, taker_id, is_asked },
          place,
        ) => ({
          trade_id: id,
          place,
          listing_id,
          giver_id,
          taker_id,
          title,
          type_id,
          price,
          drawing,
          is_asked,
          accepted: !is_asked,
        }),
      ),
    )
    .execute()
  const members = new Set(legs.flatMap(({ giver_id, taker_id }) => [giver_id, taker_id]))
  await tx
    .insertInto('trade_parties')
    .values([...members].map((member_id) => ({ trade_id: id, member_id })))
    .execute()
  return id
}

export interface TradeRow {
  id: number
  kind: TradeKind
  state: TradeState
  requester_id: number
  note: string | null
  created_at: string
  updated_at: string
  expires_at: string | null
  pickup_starts_at: string | null
  pickup_ends_at: string | null
  pickup_proposed_by: number | null
  pickup_accepted_by: number[]
}

/** The ids read as numbers: pg leaves arrays of `bigint` as text. */
const tradeColumns = `t.id, t.kind, t.state, t.requester_id, t.note, t.created_at, t.updated_at, t.expires_at, t.pickup_starts_at,
  t.pickup_ends_at, t.pickup_proposed_by, array_to_json(t.pickup_accepted_by) as pickup_accepted_by`

const tradeOfParty = statement<[id: number, member: number], TradeRow>(
  `select ${tradeColumns} from trades t join trade_parties p on p.trade_id = t.id and p.member_id = $2 where t.id = $1`,
)

/** Returns a trade of a member. */
export async function findTrade(db: Db<Tables>, id: number, member: number): Promise<TradeRow | undefined> {
  const [trade] = await tradeOfParty(db, id, member)
  return trade
}

const lockedTrade = statement<[id: number], TradeRow>(
  `select ${tradeColumns} from trades t where t.id = $1 for update`,
)

/** Lock its members and its listings before. */
export async function lockTrade(tx: Db<Tables>, id: number): Promise<TradeRow | undefined> {
  const [trade] = await lockedTrade(tx, id)
  return trade
}

const trades = statement<[ids: number[]], TradeRow>(
  `select ${tradeColumns} from trades t where t.id = any ($1::bigint[])`,
)

export function listTradeRows(db: Db<Tables>, ids: readonly number[]): Promise<TradeRow[]> {
  return trades(db, [...ids])
}

export interface LegRow {
  trade_id: number
  place: number
  listing_id: number
  giver_id: number
  taker_id: number
  title: string
  is_asked: boolean
  accepted: boolean
  handed_over: boolean
}

const legs = statement<[trade: number], LegRow>(
  `select trade_id, place, listing_id, giver_id, taker_id, title, is_asked, accepted, handed_over
   from trade_legs where trade_id = $1 order by place`,
)

export function listLegs(db: Db<Tables>, trade: number): Promise<LegRow[]> {
  return legs(db, trade)
}

export interface ShownLegRow extends LegRow {
  type_id: TypeId
  price: number
  drawing: Drawing
  giver_username: string | null
  giver_picture: string | null
  taker_username: string | null
  taker_picture: string | null
  is_visible: boolean
  image_name: string | null
  image_widths: string | null
  position: number | null
  /** Whether it can be promised in this trade. */
  is_free: boolean
}

/** The photo of leg `leg`'s listing, if the member $1 may see the listing. */
export const shownListing = `left join lateral (
    select true as is_visible, ${imageColumns} from listings l ${firstPhoto}
    where l.id = leg.listing_id and ${visibleTo('$1::bigint')} limit 1
  ) shown on true`

const shownLegs = statement<[caller: number, trades: number[]], ShownLegRow>(
  `select leg.trade_id, leg.place, leg.listing_id, leg.giver_id, leg.taker_id, leg.title, leg.is_asked, leg.accepted,
     leg.handed_over, leg.type_id, leg.price, leg.drawing,
     giver.username as giver_username, giver.picture_name as giver_picture,
     taker.username as taker_username, taker.picture_name as taker_picture,
     coalesce(shown.is_visible, false) as is_visible,
     shown.image_name, shown.image_widths,
     case when leg.is_asked and leg.status = 'open' then (
       select count(*) from trade_legs q
       where q.listing_id = leg.listing_id and q.is_asked and q.status <> 'closed' and q.trade_id <= leg.trade_id
     ) end as position,
     exists (select from listings l where l.id = leg.listing_id and l.state_id <> 3)
       and not exists (
         select from trade_legs other
         where other.listing_id = leg.listing_id and other.status = 'promised' and other.trade_id <> leg.trade_id
       ) as is_free
   from unnest($2::bigint[]) asked (id)
   cross join lateral (select * from trade_legs where trade_id = asked.id order by place) leg
   left join lateral (select * from users where id = leg.giver_id and suspended_at is null limit 1) giver on true
   left join lateral (select * from users where id = leg.taker_id and suspended_at is null limit 1) taker on true
   ${shownListing}
   order by leg.trade_id, leg.place`,
)

/** Returns the legs as the caller sees them. */
export function listShownLegs(
  db: Db<Tables>,
  caller: number,
  ids: readonly number[],
): Promise<ShownLegRow[]> {
  return shownLegs(db, caller, [...ids])
}

export interface RequesterRow {
  trade_id: number
  city: string | null
  state: string | null
  postal_code_id: number
  caller_postal_code_id: number
  thanks_count: number
  mutual_friend_count: number
}

const friendsOf = (member: string) => `
  select high_id as id from friendships where low_id = ${member} and status = 'accepted'
  union all select low_id from friendships where high_id = ${member} and status = 'accepted'`

const requesters = statement<[caller: number, trades: number[]], RequesterRow>(
  `select t.id as trade_id, u.city, u.state, u.postal_code_id, me.postal_code_id as caller_postal_code_id,
     (select count(*) from thanks where receiver_id = u.id and hidden_at is null) as thanks_count,
     (select count(*) from (${friendsOf('u.id')}) theirs join (${friendsOf('$1::bigint')}) mine on mine.id = theirs.id)
       as mutual_friend_count
   from unnest($2::bigint[]) asked (id)
   cross join lateral (select * from trades where id = asked.id and state = 'requested' and requester_id <> $1 limit 1) t
   cross join lateral (select * from users where id = t.requester_id and suspended_at is null limit 1) u
   cross join lateral (select * from users where id = $1 limit 1) me`,
)

/** Returns what the caller may know of those who ask. */
export function listRequesters(
  db: Db<Tables>,
  caller: number,
  ids: readonly number[],
): Promise<RequesterRow[]> {
  return requesters(db, caller, [...ids])
}

export interface Page {
  readonly state: 'open' | 'closed' | undefined
  readonly before: number
  readonly limit: number
}

const stateCondition = { open: 'p.is_open', closed: 'not p.is_open' } as const

/** Prepares a list for every state, newest first: $1 is the caller, $2 the cursor, $3 the limit. */
function tradeIds<Values extends readonly unknown[]>(from: string, where: string) {
  const list = (condition: string) =>
    statement<[caller: number, before: number, limit: number, ...Values], { id: number }>(
      `select p.trade_id as id from ${from}
       where p.member_id = $1 and p.trade_id < $2 and ${condition} ${where} order by p.trade_id desc limit $3`,
    )
  const [open, closed, all] = [list(stateCondition.open), list(stateCondition.closed), list('true')]
  return async (db: Db<Tables>, caller: number, { state, before, limit }: Page, ...values: Values) => {
    const read = state === 'open' ? open : state === 'closed' ? closed : all
    return (await read(db, caller, before, limit, ...values)).map(({ id }) => id)
  }
}

export const listTradeIds = tradeIds<[]>('trade_parties p', '')
export const listTradeIdsWith = tradeIds<[other: number]>(
  'trade_parties p join trade_parties o on o.trade_id = p.trade_id',
  'and o.member_id = $4 and o.member_id <> p.member_id',
)
export const listTradeIdsAbout = tradeIds<[listing: number]>(
  'trade_parties p',
  'and exists (select from trade_legs leg where leg.trade_id = p.trade_id and leg.listing_id = $4)',
)

const line = (condition: string) =>
  statement<[owner: number, listing: number, after: number, limit: number], { id: number }>(
    `select leg.trade_id as id from trade_legs leg
     where leg.listing_id = $2 and leg.giver_id = $1 and leg.is_asked and leg.trade_id > $3 and ${condition}
     order by leg.trade_id limit $4`,
  )
const lines = {
  open: line(`leg.status <> 'closed'`),
  closed: line(`leg.status = 'closed'`),
  all: line('true'),
}

/** Returns the requests for an owner's listing in order of arrival. */
export async function listLine(
  db: Db<Tables>,
  owner: number,
  listing: number,
  { state, after, limit }: { state: 'open' | 'closed' | undefined; after: number; limit: number },
): Promise<number[]> {
  return (await lines[state ?? 'all'](db, owner, listing, after, limit)).map(({ id }) => id)
}

const ownedListing = statement<[listing: number, owner: number], { id: number }>(
  'select id from listings where id = $1 and owner_id = $2',
)

export async function isOwner(db: Db<Tables>, listing: number, owner: number): Promise<boolean> {
  return (await ownedListing(db, listing, owner)).length > 0
}

const openOfListing = statement<[listing: number], { trade_id: number; status: 'open' | 'promised' }>(
  `select trade_id, status from trade_legs where listing_id = $1 and status <> 'closed' order by trade_id`,
)

/** Returns the open trades with a listing. */
export function listOpenOfListing(db: Db<Tables>, listing: number) {
  return openOfListing(db, listing)
}

const requestedListings = statement<[listings: number[]], { listing_id: number }>(
  `select l.id as listing_id from unnest($1::bigint[]) l (id)
   where exists (select from trade_legs leg where leg.listing_id = l.id and leg.status = 'open')`,
)

/** Returns those of the listings that a requested trade has. */
export function listRequested(db: Db<Tables>, listings: readonly number[]) {
  return requestedListings(db, [...listings])
}

const requesterOfLine = statement<
  [listings: number[], except: number],
  { id: number; requester_id: number; listing_id: number; giver_id: number }
>(
  `select t.id, t.requester_id, leg.listing_id, leg.giver_id from trade_legs leg join trades t on t.id = leg.trade_id
   where leg.listing_id = any ($1::bigint[]) and leg.is_asked and leg.status = 'open' and leg.trade_id <> $2
   order by t.id`,
)

/** Returns the requests that wait for these listings, in order of arrival. */
export function listWaiting(db: Db<Tables>, listings: readonly number[], except: number) {
  return requesterOfLine(db, [...listings], except)
}

const openOfMembers = statement<[member: number], { trade_id: number }>(
  'select trade_id from trade_parties where member_id = $1 and is_open order by trade_id',
)

export async function listOpenOf(db: Db<Tables>, member: number): Promise<number[]> {
  return (await openOfMembers(db, member)).map(({ trade_id }) => trade_id)
}

const openBetween = statement<[one: number, other: number], { trade_id: number }>(
  `select p.trade_id from trade_parties p join trade_parties o on o.trade_id = p.trade_id and o.member_id = $2
   where p.member_id = $1 and p.is_open order by p.trade_id`,
)

export async function listOpenBetween(db: Db<Tables>, one: number, other: number): Promise<number[]> {
  return (await openBetween(db, one, other)).map(({ trade_id }) => trade_id)
}

/** The columns of an open trade; null times mean that it is closed. */
export async function updateTrade(
  tx: Db<Tables>,
  id: number,
  {
    state,
    expires_at,
    remind_at,
  }: { state: TradeState; expires_at: string | null; remind_at: string | null },
): Promise<void> {
  const isOpen = expires_at !== null
  await tx
    .updateTable('trades')
    .set({
      state,
      expires_at,
      remind_at,
      updated_at: new Date().toISOString(),
      ...(isOpen ? {} : { pickup_remind_at: null }),
    })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('trade_legs')
    .set({ status: state === 'requested' ? 'open' : isOpen ? 'promised' : 'closed' })
    .where('trade_id', '=', id)
    .execute()
  if (!isOpen)
    await tx.updateTable('trade_parties').set({ is_open: false }).where('trade_id', '=', id).execute()
}

export async function updateLegs(
  tx: Db<Tables>,
  trade: number,
  places: readonly number[],
  changes: { accepted: true } | { handed_over: true },
): Promise<void> {
  await tx
    .updateTable('trade_legs')
    .set(changes)
    .where('trade_id', '=', trade)
    .where('place', 'in', places)
    .execute()
  await tx
    .updateTable('trades')
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', trade)
    .execute()
}

export async function updateListingStates(
  tx: Db<Tables>,
  ids: readonly number[],
  state_id: 1 | 2 | 3,
): Promise<void> {
  if (ids.length === 0) return
  await tx.updateTable('listings').set({ state_id }).where('id', 'in', ids).execute()
}

export async function updatePickup(
  tx: Db<Tables>,
  id: number,
  pickup: {
    pickup_starts_at?: string
    pickup_ends_at?: string
    pickup_proposed_by?: number
    pickup_accepted_by: number[]
    pickup_remind_at: string | null
    expires_at?: string
    remind_at?: string
  },
): Promise<void> {
  await tx
    .updateTable('trades')
    .set({ ...pickup, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

export interface OpenCounts {
  readonly requested: number
  readonly accepted: number
  /** The age of the oldest request. */
  readonly oldest_seconds: number
}

const openCounts = statement<[], OpenCounts>(
  `select count(*) filter (where state = 'requested')::int as requested, count(*) filter (where state = 'accepted')::int as accepted,
     coalesce(extract(epoch from now() - min(created_at) filter (where state = 'requested')), 0)::float as oldest_seconds
   from trades where expires_at is not null`,
)

export async function findOpenCounts(db: Db<Tables>): Promise<OpenCounts> {
  const [counts] = await openCounts(db)
  return counts ?? { requested: 0, accepted: 0, oldest_seconds: 0 }
}

const lapsed = statement<[limit: number], { id: number }>(
  'select id from trades where expires_at <= now() order by expires_at limit $1',
)

/** Returns trades that lapse now. */
export async function listLapsed(db: Db<Tables>, limit: number): Promise<number[]> {
  return (await lapsed(db, limit)).map(({ id }) => id)
}

const reminded = (column: 'remind_at' | 'pickup_remind_at') =>
  statement<[limit: number], { id: number }>(
    `update trades set ${column} = null where id = any (array(
       select id from trades where ${column} <= now() order by ${column} limit $1 for update skip locked
     )) returning id`,
  )
const reminders = { trade: reminded('remind_at'), pickup: reminded('pickup_remind_at') }

/** Takes the trades whose members are to be reminded now. */
export async function takeReminders(
  tx: Db<Tables>,
  of: keyof typeof reminders,
  limit: number,
): Promise<number[]> {
  return (await reminders[of](tx, limit)).map(({ id }) => id)
}

const parties = statement<[trade: number], { member_id: number }>(
  `select p.member_id from trade_parties p join users u on u.id = p.member_id
   where p.trade_id = $1 and u.suspended_at is null order by p.member_id`,
)

/** Returns the parties who are still members. */
export async function listParties(db: Db<Tables>, trade: number): Promise<number[]> {
  return (await parties(db, trade)).map(({ member_id }) => member_id)
}

const formerOnly = statement<[leaving: number], object>(
  `delete from trades t using trade_parties p
   where p.member_id = $1 and t.id = p.trade_id and not exists (
     select from trade_parties o join users u on u.id = o.member_id where o.trade_id = t.id and o.member_id <> $1
   )`,
)

/** Deletes the trades of a member who leaves, if nobody else is left in them. */
export async function deleteTradesOfFormer(tx: Db<Tables>, leaving: number): Promise<void> {
  await formerOnly(tx, leaving)
}

export interface ReaderRow {
  mail_trades: boolean
  time_zone: string | null
  /** Another party. */
  partner_id: number | null
}

const reader = statement<[member: number, trade: number], ReaderRow>(
  `select u.mail_trades, u.time_zone,
     (select p.member_id from trade_parties p where p.trade_id = $2 and p.member_id <> $1 order by p.member_id limit 1) as partner_id
   from users u where u.id = $1 and u.suspended_at is null`,
)

/** Returns how a member is told of a trade; undefined if they are suspended or have left. */
export async function findReader(
  db: Db<Tables>,
  member: number,
  trade: number,
): Promise<ReaderRow | undefined> {
  const [row] = await reader(db, member, trade)
  return row
}

const requestsUnseen = statement<[listing: number], { trade_id: number }>(
  `select leg.trade_id from trade_legs leg join listings l on l.id = leg.listing_id
   where leg.listing_id = $1 and leg.status = 'open' and coalesce((
     select true from trade_parties p where p.trade_id = leg.trade_id and not ${visibleTo('p.member_id')} limit 1
   ), false)
   order by leg.trade_id`,
)

/** Returns the requested trades with a listing that one of their members can not see. */
export async function listRequestsUnseen(db: Db<Tables>, listing: number): Promise<number[]> {
  return (await requestsUnseen(db, listing)).map(({ trade_id }) => trade_id)
}

const unseenBetween = statement<[one: number, other: number], { trade_id: number; giver_id: number }>(
  `select distinct on (leg.trade_id) leg.trade_id, leg.giver_id
   from trade_parties p join trade_parties o on o.trade_id = p.trade_id and o.member_id = $2
   join trade_legs leg on leg.trade_id = p.trade_id and leg.status = 'open' and leg.giver_id in ($1, $2)
   join listings l on l.id = leg.listing_id
   where p.member_id = $1 and p.is_open and not (${visibleTo('$1::bigint')} and ${visibleTo('$2::bigint')})
   order by leg.trade_id`,
)

/** Returns the requested trades of two members with a listing that one of them can not see, and its owner. */
export function listUnseenBetween(db: Db<Tables>, one: number, other: number) {
  return unseenBetween(db, one, other)
}
