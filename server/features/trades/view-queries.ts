import { states } from '#contract/constants.ts'
import { firstPhoto, imageColumns } from '#server/features/images/paths.ts'
import { friendsOf, visibleTo } from '#server/features/listings/visibility.ts'
import { type Db, existsStatement, idsStatement, statement } from '#server/platform/db/database.ts'
import type { Row, Tables } from '#server/tables.ts'

export interface ShownLegRow extends Omit<Row<'trade_legs'>, 'status'> {
  giver_username: string | null
  giver_picture: string | null
  taker_username: string | null
  taker_picture: string | null
  is_visible: boolean
  image_name: string | null
  image_widths: string | null
  position: number | null
  /** True if the giver or the taker has blocked the other. */
  is_blocked: boolean
  /** True if the listing can be promised in this trade. */
  is_free: boolean
}

/** Joins the photo of the listing of leg `leg` as `shown`, if the member $1 may see the listing. */
export const shownListing = `left join lateral (
    select true as is_visible, ${imageColumns} from listings l ${firstPhoto}
    where l.id = leg.listing_id and ${visibleTo('$1::bigint')} limit 1
  ) shown on true`

/** Returns the legs as the caller sees them. */
export const listShownLegs = statement<[caller: number, trades: readonly number[]], ShownLegRow>(
  `select leg.trade_id, leg.place, leg.listing_id, leg.giver_id, leg.taker_id, leg.title, leg.is_requested, leg.accepted,
     leg.handed_over, leg.type_id, leg.price, leg.drawing,
     giver.username as giver_username, giver.picture_name as giver_picture,
     taker.username as taker_username, taker.picture_name as taker_picture,
     coalesce(shown.is_visible, false) as is_visible,
     shown.image_name, shown.image_widths,
     case when leg.is_requested and leg.status = 'open' then (
       select count(*) from trade_legs q
       where q.listing_id = leg.listing_id and q.is_requested and q.status <> 'closed' and q.trade_id <= leg.trade_id
     ) end as position,
     exists (
       select from blocks b where b.blocker_id in (leg.giver_id, leg.taker_id) and b.blocked_id in (leg.giver_id, leg.taker_id)
     ) as is_blocked,
     exists (select from listings l where l.id = leg.listing_id and l.state_id <> ${states.gone})
       and not exists (
         select from trade_legs other
         where other.listing_id = leg.listing_id and other.status = 'promised' and other.trade_id <> leg.trade_id
       ) as is_free
   from unnest($2::bigint[]) wanted (id)
   cross join lateral (select * from trade_legs where trade_id = wanted.id order by place) leg
   left join lateral (select * from users where id = leg.giver_id and suspended_at is null limit 1) giver on true
   left join lateral (select * from users where id = leg.taker_id and suspended_at is null limit 1) taker on true
   ${shownListing}
   order by leg.trade_id, leg.place`,
)

/** The public data of the requester of an unanswered trade, for its receivers. */
export interface RequesterRow extends Pick<Row<'users'>, 'city' | 'state' | 'postal_code_id'> {
  trade_id: number
  caller_postal_code_id: number
  thanks_count: number
  mutual_friend_count: number
}

/** Returns the public data of requesters that the caller may see. */
export const listRequesters = statement<[caller: number, trades: readonly number[]], RequesterRow>(
  `select t.id as trade_id, u.city, u.state, u.postal_code_id, me.postal_code_id as caller_postal_code_id,
     (select count(*) from thanks where receiver_id = u.id and hidden_at is null) as thanks_count,
     (select count(*) from (${friendsOf('u.id')}) theirs (id) join (${friendsOf('$1::bigint')}) mine (id) on mine.id = theirs.id)
       as mutual_friend_count
   from unnest($2::bigint[]) wanted (id)
   cross join lateral (select * from trades where id = wanted.id and state = 'requested' and requester_id <> $1 limit 1) t
   cross join lateral (select * from users where id = t.requester_id and suspended_at is null limit 1) u
   cross join lateral (select * from users where id = $1 limit 1) me`,
)

export interface Page {
  readonly state: 'open' | 'closed' | undefined
  readonly before: number
  readonly limit: number
}

const stateCondition = { open: 'p.is_open', closed: 'not p.is_open' } as const

/** Prepares a list for every state, newest first: $1 is the caller, $2 the cursor, $3 the limit. */
function tradeIds<Values extends readonly unknown[]>(from: string, where: string) {
  const list = (condition: string) =>
    idsStatement<[caller: number, before: number, limit: number, ...Values]>(
      `select p.trade_id as id from ${from}
       where p.member_id = $1 and p.trade_id < $2 and ${condition} ${where} order by p.trade_id desc limit $3`,
    )
  const [open, closed, all] = [list(stateCondition.open), list(stateCondition.closed), list('true')]
  return (db: Db<Tables>, caller: number, { state, before, limit }: Page, ...values: Values) => {
    const read = state === 'open' ? open : state === 'closed' ? closed : all
    return read(db, caller, before, limit, ...values)
  }
}

/** Returns the ids of a member's trades. */
export const listTradeIds = tradeIds<[]>('trade_parties p', '')
/** Returns those with another member. */
export const listTradeIdsWith = tradeIds<[other: number]>(
  'trade_parties p join trade_parties o on o.trade_id = p.trade_id',
  'and o.member_id = $4 and o.member_id <> p.member_id',
)
/** Returns those with a listing. */
export const listTradeIdsAbout = tradeIds<[listing: number]>(
  'trade_parties p',
  'and exists (select from trade_legs leg where leg.trade_id = p.trade_id and leg.listing_id = $4)',
)

const requestQueue = (condition: string) =>
  idsStatement<[owner: number, listing: number, after: number, limit: number]>(
    `select leg.trade_id as id from trade_legs leg
     where leg.listing_id = $2 and leg.giver_id = $1 and leg.is_requested and leg.trade_id > $3 and ${condition}
     order by leg.trade_id limit $4`,
  )
const requestQueues = {
  open: requestQueue(`leg.status <> 'closed'`),
  closed: requestQueue(`leg.status = 'closed'`),
  all: requestQueue('true'),
}

/** Returns the requests for an owner's listing in order of arrival. */
export function listRequestQueue(
  db: Db<Tables>,
  owner: number,
  listing: number,
  { state, after, limit }: { state: 'open' | 'closed' | undefined; after: number; limit: number },
): Promise<number[]> {
  return requestQueues[state ?? 'all'](db, owner, listing, after, limit)
}

export const isOwner = existsStatement<[listing: number, owner: number]>(
  'select from listings where id = $1 and owner_id = $2',
)
