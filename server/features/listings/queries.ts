import type { Insertable } from 'kysely'
import { type CategoryId, categories, limits, type StateId, type TypeId } from '#contract/constants.ts'
import type { ImageRow } from '#server/features/images/paths.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import type { Position } from './orders.ts'
import { Values } from './values.ts'
import { friendsOf, inOrder, shown, visibleTo } from './visibility.ts'
import { type Check, everyListingWith, type Walk } from './walks.ts'

export interface ListingRow extends ImageRow {
  id: number
  title: string
  description: string
  price: number
  is_active: boolean
  is_public: boolean
  type_id: TypeId
  state_id: StateId
  category_id: CategoryId | null
  owner_id: number
  /** Of the owner; never leaves the server. */
  place: number
  owner_username: string
  owner_picture_name: string | null
  created_at: string
  updated_at: string
}

const columns = `l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id,
    l.owner_id, l.place, o.username as owner_username, o.picture_name as owner_picture_name, l.created_at, l.updated_at,
    i.name as image_name, i.width as image_width, i.height as image_height, i.placeholder as image_placeholder,
    array_to_string(i.widths, ',') as image_widths`

const selectFrom = (listings: string, what = columns) => `
  select ${what}
  from ${listings}
  join users o on o.id = l.owner_id
  left join images i on i.name = l.image_name`
const select = selectFrom('listings l')

/** Whose listings a list is about. */
export type Scope =
  | { readonly of: 'me' | 'friends' | 'public' | 'all' }
  | { readonly of: 'member'; readonly owner: number }

const isActive: Check = { by: ['is_active'], sql: (_, name) => `${name}.is_active` }
const isPublic: Check = { by: ['is_public'], sql: (_, name) => `${name}.is_public` }
const isInOrder: Check = { by: [], sql: () => inOrder }

/** What the caller may see of it. */
export function visibility({ of }: Scope, caller: number): readonly Check[] {
  switch (of) {
    case 'me':
      return []
    case 'friends':
      return [isActive, isInOrder]
    case 'public':
      return [isPublic, isActive, isInOrder]
    default:
      return [{ by: [], sql: (values) => visibleTo(values.add(caller, 'bigint')) }]
  }
}

/** A friend owns it; a walk along something else than friends' listings has to ask. */
export function ownedByFriends(caller: number): Check {
  return { by: [], sql: (values) => `l.owner_id = any (array(${friendsOf(values.add(caller, 'bigint'))}))` }
}

/** A listing that the caller may see, and where the caller is. */
export type VisibleRow = ListingRow & { caller_place: number }

const findVisible = statement<[caller: number, id: number], VisibleRow>(
  `${selectFrom('listings l', `${columns}, coalesce((select place from users where id = $1), 0) as caller_place`)}
   where l.id = $2 and ${visibleTo('$1')}`,
)

export async function findVisibleListing(
  db: Db<Tables>,
  caller: number,
  id: number,
): Promise<VisibleRow | undefined> {
  const [row] = await findVisible(db, caller, id)
  return row
}

const visibleOf = statement<[caller: number, ids: number[]], VisibleRow>(
  `${selectFrom('(select unnest($2::bigint[]) as asked) g cross join lateral (select * from listings where id = g.asked limit 1) l', `${columns}, coalesce((select place from users where id = $1), 0) as caller_place`)}
   where ${visibleTo('$1')}`,
)

/** Of these, the listings that the caller may see. */
export function listVisibleListings(
  db: Db<Tables>,
  caller: number,
  ids: readonly number[],
): Promise<VisibleRow[]> {
  return visibleOf(db, caller, [...ids])
}

/** One more than the usual page and than the longest: the row too many tells that the list goes on. */
const lengths = { usual: limits.page.size + 1, most: limits.page.max + 1 }

/**
 * A page whose length stands in the text. PostgreSQL has to see that it is short to keep one plan for it; with the length
 * as a value it plans anew at every call, which takes longer than the page. Two lengths keep the statements few.
 */
function page<Values extends readonly unknown[]>(where: string) {
  const ofLength = (rows: number) =>
    statement<Values, ListingRow>(`${select} where ${where} order by l.id desc limit ${rows}`)
  const usual = ofLength(lengths.usual)
  const most = ofLength(lengths.most)
  return async (db: Db<Tables>, limit: number, ...values: Values) => {
    const read = limit <= lengths.usual ? usual : most
    return (await read(db, ...values)).slice(0, limit)
  }
}

/** Who asks plays no part in what is public. */
const publicOfAll = page<[number]>(`l.is_public and ${shown} and l.id < $1`)
// A category stands in the text as well: a rare one has another plan than a common one.
const publicOf = (category: CategoryId) =>
  page<[number]>(`l.is_public and ${shown} and l.category_id = ${category} and l.id < $1`)
const publicOfOne: Record<CategoryId, typeof publicOfAll> = {
  [categories.produce]: publicOf(categories.produce),
  [categories.seeds]: publicOf(categories.seeds),
  [categories.plants]: publicOf(categories.plants),
}

/** The public page that most look at, newest first from below an id. Any other goes through `readWalk`. */
export function listPublicListings(
  db: Db<Tables>,
  { before, limit }: { readonly before: number; readonly limit: number },
  category: CategoryId | undefined,
) {
  const read = category === undefined ? publicOfAll : publicOfOne[category]
  return read(db, limit, before)
}

/** Where a list goes on that has ended early. */
export type End = Pick<ListingRow, 'id' | 'price' | 'place'>

/** With the turn that its walk tells. */
export type FoundRow = ListingRow & { readonly turn?: number }

/** At most `limit` of a walk's listings that pass, and where it ended if it tells. */
export async function readWalk(
  db: Db<Tables>,
  walk: Walk,
  after: Position,
  checks: readonly Check[],
  limit: number,
): Promise<{ rows: FoundRow[]; end: (End & Pick<FoundRow, 'turn'>) | undefined }> {
  const values = new Values()
  const { early, late } = parted(walk, checks)
  const candidates = walk.candidates(values, after, early)
  const from =
    walk.yields === 'ids' ? `(${candidates}) c join listings l on l.id = c.id` : `(${candidates}) l`
  const passes = [...late.map((check) => check.sql(values, 'l')), 'true'].join(' and ')
  const where = walk.tellsEnd ? `(c.is_end or ${passes})` : passes
  const what = [columns, ...(walk.tellsEnd ? ['c.is_end'] : []), ...(walk.tellsTurn ? ['c.turn'] : [])].join(
    ', ',
  )
  const rows = limit <= lengths.usual ? lengths.usual : lengths.most
  const found = await statement<unknown[], FoundRow & { is_end?: boolean }>(
    `${selectFrom(from, what)} where ${where} ${orderOf(walk)} limit ${rows}`,
  )(db, ...values.list)
  const end = found.at(-1)?.is_end ? found.pop() : undefined
  return { rows: found.slice(0, limit), end }
}

/** The checks that the walk's index can answer, if only by a hint, and those that take the row. */
function parted({ facts = [], given = [] }: Walk, checks: readonly Check[]) {
  const open = checks.filter(({ by }) => by.length === 0 || !by.every((fact) => given.includes(fact)))
  const isEarly = ({ by }: Check) => by.length > 0 && by.every((fact) => facts.includes(fact))
  const late = open.filter((check) => !isEarly(check))
  const hints = late.flatMap(({ hint }) => hint ?? []).filter(isEarly)
  return { early: [...open.filter(isEarly), ...hints], late }
}

/** The last candidate of a walk where there may be more. */
export async function findEnd(db: Db<Tables>, walk: Walk, after: Position): Promise<End | undefined> {
  const values = new Values()
  const name = walk.yields === 'ids' ? 'c' : 'l'
  const last = `select ${name}.id from (${walk.candidates(values, after, [])}) ${name} ${orderOf(walk)} offset ${walk.size - 1} limit 1`
  const [end] = await statement<unknown[], End>(
    `select l.id, l.price, l.place from (${last}) e join listings l on l.id = e.id`,
  )(db, ...values.list)
  return end
}

function orderOf({ by }: Walk): string {
  return by === undefined ? '' : `order by ${by}`
}

export interface FriendRow {
  id: number
  place: number
}

const friendIds = statement<[caller: number], { id: number }>(`select f.id from (${friendsOf('$1')}) f (id)`)

const friendPlaces = statement<[caller: number], FriendRow>(
  `select f.id, coalesce(u.place, 0) as place from (${friendsOf('$1')}) f (id) join users u on u.id = f.id`,
)

/** Nobody is anywhere unless their places are asked for. */
export async function listFriends(
  db: Db<Tables>,
  caller: number,
  { withPlaces }: { withPlaces: boolean },
): Promise<FriendRow[]> {
  if (withPlaces) return friendPlaces(db, caller)
  return (await friendIds(db, caller)).map(({ id }) => ({ id, place: 0 }))
}

const placeOfMember = statement<[id: number], { place: number }>(
  'select coalesce(place, 0) as place from users where id = $1',
)

/** Null for nobody. */
export async function findPlace(db: Db<Tables>, userId: number): Promise<number | undefined> {
  const [member] = await placeOfMember(db, userId)
  return member?.place
}

const inhabitedPlaces = statement<[limit: number], { place: number }>(
  `with recursive inhabited (place, turn) as (
     (select l.place, 1 from listings l where l.place > 0 order by l.place limit 1)
     union all
     select (select l.place from listings l where l.place > i.place order by l.place limit 1), i.turn + 1
     from inhabited i where i.place is not null and i.turn < $1
   ) select place from inhabited where place is not null`,
)

/** The known places that anything is listed at; undefined when they are more than `most`. */
export async function listInhabitedPlaces(db: Db<Tables>, most: number): Promise<number[] | undefined> {
  const rows = await inhabitedPlaces(db, most + 1)
  return rows.length > most ? undefined : rows.map(({ place }) => place)
}

/** The places of everything that is filed under a rare word. */
export async function listPlacesWith(
  db: Db<Tables>,
  terms: readonly string[],
  size: number,
): Promise<number[]> {
  const found = await statement<[string[]], { place: number }>(
    `select distinct l.place from (${everyListingWith('(select $1::text[])', size)}) l`,
  )(db, [...terms])
  return found.map(({ place }) => place)
}

const newestPrices = statement<[limit: number], { price: number }>(
  'select l.price from listings l where l.is_public and l.is_active and l.price > 0 order by l.id desc limit $1',
)

/** What the newest public sales cost. */
export async function listNewestPrices(db: Db<Tables>, limit: number): Promise<number[]> {
  return (await newestPrices(db, limit)).map(({ price }) => price)
}

export async function insertListing(
  db: Db<Tables>,
  listing: Insertable<Tables['listings']>,
): Promise<number> {
  const { id } = await db.insertInto('listings').values(listing).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateVisibility(db: Db<Tables>, id: number, is_public: boolean): Promise<void> {
  await db
    .updateTable('listings')
    .set({ is_public, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}
