import type { Insertable } from 'kysely'
import { type CategoryId, categories, limits, type StateId, type TypeId } from '#contract/constants.ts'
import type { ImageRow } from '#server/features/images/paths.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

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
  owner_username: string
  owner_picture_name: string | null
  created_at: string
  updated_at: string
}

const select = `
  select l.id, l.title, l.description, l.price, l.is_active, l.is_public, l.type_id, l.state_id, l.category_id,
    l.owner_id, o.username as owner_username, o.picture_name as owner_picture_name, l.created_at, l.updated_at,
    i.name as image_name, i.width as image_width, i.height as image_height, i.placeholder as image_placeholder,
    array_to_string(i.widths, ',') as image_widths
  from listings l
  join users o on o.id = l.owner_id
  left join images i on i.name = l.image_name`

/** The members who are friends of member $1. */
const friendsOfCaller = `
  select high_id from friendships where low_id = $1 and status = 'accepted'
  union all
  select low_id from friendships where high_id = $1 and status = 'accepted'`

/** As an array it is read once, from the caller's own friendships; an `exists` would be planned as a hash of everybody's. */
const ownedByFriendOfCaller = `l.owner_id = any (array(${friendsOfCaller}))`

/** What others may see at all: active, not hidden by the operator, and of a member who is not suspended. */
const shown = 'l.is_active and l.hidden_at is null and o.suspended_at is null'

/** What member $1 may see: one's own, what is active and public, and what is active and a friend's. */
const visibleToCaller = `(l.owner_id = $1 or ${shown} and (l.is_public or ${ownedByFriendOfCaller}))`

const findVisible = statement<[caller: number, id: number], ListingRow>(
  `${select} where l.id = $2 and ${visibleToCaller}`,
)

export async function findVisibleListing(
  db: Db<Tables>,
  caller: number,
  id: number,
): Promise<ListingRow | undefined> {
  const [row] = await findVisible(db, caller, id)
  return row
}

/** A page of a list: newest first, from below the id `before`. */
export interface Page {
  readonly before: number
  readonly limit: number
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

/** Each list in two forms: of every category, and of one. $1 is the caller, $2 the id to go on below. */
function list(where: string) {
  const ofAll = page<[number, number]>(`${where} and l.id < $2`)
  const ofOne = page<[number, number, number]>(`${where} and l.id < $2 and l.category_id = $3`)
  return (db: Db<Tables>, caller: number, { before, limit }: Page, category: CategoryId | undefined) =>
    category === undefined ? ofAll(db, limit, caller, before) : ofOne(db, limit, caller, before, category)
}

export const listOwnListings = list('l.owner_id = $1')
export const listFriendsListings = list(`l.owner_id in (${friendsOfCaller}) and ${shown}`)
export const listVisibleListings = list(visibleToCaller)

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

export function listPublicListings(
  db: Db<Tables>,
  { before, limit }: Page,
  category: CategoryId | undefined,
) {
  const read = category === undefined ? publicOfAll : publicOfOne[category]
  return read(db, limit, before)
}

const ofOwnerAll = page<[number, number, number]>(`l.owner_id = $3 and ${visibleToCaller} and l.id < $2`)
const ofOwnerOne = page<[number, number, number, number]>(
  `l.owner_id = $3 and ${visibleToCaller} and l.id < $2 and l.category_id = $4`,
)

/** One member's listings, as far as the caller may see them. */
export function listListingsOf(
  db: Db<Tables>,
  caller: number,
  owner: number,
  { before, limit }: Page,
  category: CategoryId | undefined,
) {
  return category === undefined
    ? ofOwnerAll(db, limit, caller, before, owner)
    : ofOwnerOne(db, limit, caller, before, owner, category)
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
