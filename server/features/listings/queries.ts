import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { ListingChanges, NewListing } from '#contract/listings.ts'
import { countHandedOver, requestsFor } from '#server/features/visibility/legs.ts'
import { isVisibleTo, needsReminder } from '#server/features/visibility/listings.ts'
import { friendsOf, me, unseenBy } from '#server/features/visibility/members.ts'
import { executeUnprepared, rowStatement, runUnprepared, statement } from '#server/platform/db/database.ts'
import { anyOf, namesOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tables } from '#server/tables.ts'
import { type VisibleRow, visibleColumns } from './columns.ts'
import { countsQuery, type List, type PageRequest, pageQuery, withOwner } from './list-query.ts'

/**
 * Reads a page of a list, at most `limit` rows without folded ones. The indexes do not know which are folded, and few are: a page that
 * has some is read again by a statement that leaves them out.
 */
export async function listPage(db: Db, page: PageRequest): Promise<VisibleRow[]> {
  const rows = await readPage(db, page)
  if (!rows.some(({ is_folded }) => is_folded)) return rows.slice(0, page.limit)
  return (await readPage(db, { ...page, withoutFolded: true })).slice(0, page.limit)
}

function readPage(db: Db, page: PageRequest): Promise<(VisibleRow & { is_folded: boolean })[]> {
  const query = pageQuery(page)
  return query.isPrepared
    ? statement<unknown[], VisibleRow & { is_folded: boolean }>(query.text)(db, ...query.values)
    : runUnprepared(db, query)
}

/** Returns how many listings of each source of a list each of these postal codes has, without those that have none. */
export function listCounts(db: Db, list: List, postalCodes: readonly number[]) {
  return runUnprepared<{ postal_code_id: number; listings: number }>(db, countsQuery(list, postalCodes))
}

const requests = statement<[ids: readonly number[]], { listing_id: number; requests: number }>(
  requestsFor('$1::bigint[]'),
)

/** Counts the waiting requests of each of these listings. Omits listings without requests. */
export async function countRequestsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await requests(db, ids)
  return new Map(rows.map((row) => [row.listing_id, row.requests]))
}

/** Returns those of the listings that the caller may see. */
export const listVisibleListings = statement<[caller: number, ids: readonly number[]], VisibleRow>(
  `select ${visibleColumns('$1::bigint')}
   from listings l ${withOwner} where l.id = any ($2::bigint[]) and ${isVisibleTo('$1::bigint')}`,
)

/** Returns those of the listings that the caller may see, and whether they are public. */
export const listVisibility = statement<
  [caller: number, ids: readonly number[]],
  { id: number; is_public: boolean }
>(`select l.id, l.is_public from listings l where l.id = any ($2::bigint[]) and ${isVisibleTo('$1::bigint')}`)

export const findVisibleListing = rowStatement<[caller: number, id: number], VisibleRow>(
  `select ${visibleColumns('$1::bigint')}
   from listings l ${withOwner} where l.id = $2 and ${isVisibleTo('$1::bigint')}`,
)

const shownFriends = statement<[caller: number], { id: number }>(
  `select f.id from (${friendsOf('$1')}) f (id) where f.id not in (${unseenBy('$1')})`,
)

/** Returns the friends whose listings the caller sees. */
export async function listShownFriends(db: Db, caller: number): Promise<number[]> {
  return (await shownFriends(db, caller)).map(({ id }) => id)
}

/** Returns the distinct postal codes of members. */
export async function listPostalCodesOf(db: Db, members: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('postal_code_id')
    .distinct()
    .where('id', '=', anyOf(members))
    .execute()
  return rows.map(({ postal_code_id }) => postal_code_id)
}

/** Returns a member's location, or 0 if it is unknown, and whether the member has given a postal code. */
export async function findPlace(db: Db, member: number) {
  const place = await db
    .selectFrom('users')
    .select(['postal_code_id', sql<boolean>`zip_code is not null`.as('is_given')])
    .where('id', '=', member)
    .executeTakeFirst()
  return place ?? { postal_code_id: 0, is_given: false }
}

/** Returns a member's time zone, UTC if it is unknown. */
export async function findTimeZone(db: Db, member: number): Promise<string> {
  const found = await db.selectFrom('users').select('time_zone').where('id', '=', member).executeTakeFirst()
  return found?.time_zone ?? 'UTC'
}

type NewRow = Omit<Insertable<Tables['listings']>, 'search' | 'postal_code_id'>

/**
 * Inserts a listing with its owner's postal code. Locks the owner, because a concurrent move would not update the new listing. Returns
 * undefined if the owner has a listing with this client_id.
 */
export async function insertListing(
  db: Db,
  listing: NewRow,
  lexemes: readonly string[],
): Promise<number | undefined> {
  const owner = await db
    .selectFrom('users')
    .select('postal_code_id')
    .where('id', '=', listing.owner_id)
    // Posts of one owner wait for each other, so that each folds the equal ones before it.
    .forNoKeyUpdate()
    .executeTakeFirst()
  const values = { ...listing, search: tsvector(lexemes), postal_code_id: owner?.postal_code_id ?? 0 }
  const inserted = await db
    .insertInto('listings')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

type PostedColumn = keyof Omit<NewListing, 'image_ids' | 'client_id'>
/** The columns that a new listing gives. */
const postedColumns = namesOf<PostedColumn>({
  title: true,
  description: true,
  category_id: true,
  type_id: true,
  price: true,
  is_active: true,
  is_public: true,
  state_id: true,
  days: true,
  open_to_rings: true,
  quantity: true,
  unit: true,
  ready_from: true,
})
export type PostedRow = Pick<Row<'listings'>, PostedColumn>

/** Returns what an owner has posted with this client_id. */
export function findPosted(db: Db, owner_id: number, client_id: string) {
  return db
    .selectFrom('listings')
    .select(['id', ...postedColumns])
    .where('owner_id', '=', owner_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
}

/** Returns the SQL value of the column `search`. */
export function tsvector(lexemes: readonly string[]): RawBuilder<string> {
  return sql<string>`array_to_tsvector(${lexemes}::text[])`
}

/** Sets the postal code of a member's listings. */
export async function updatePostalCode(db: Db, owner: number, postal_code_id: number): Promise<void> {
  await db
    .updateTable('listings')
    .set({ postal_code_id })
    .where('owner_id', '=', owner)
    .where('postal_code_id', '!=', postal_code_id)
    .execute()
}

type EditedColumn = keyof Omit<ListingChanges, 'image_ids'> | 'expires_at' | 'quantity_left' | 'ready_at'
/** The columns that a change gives or needs. */
const editedColumns = namesOf<EditedColumn>({
  title: true,
  description: true,
  category_id: true,
  type_id: true,
  price: true,
  is_active: true,
  is_public: true,
  state_id: true,
  open_to_rings: true,
  quantity: true,
  quantity_left: true,
  unit: true,
  ready_from: true,
  ready_at: true,
  days: true,
  expires_at: true,
})
export type EditedRow = Pick<Row<'listings'>, EditedColumn>

/** Locks a listing until the transaction ends and returns the columns that an edit needs. */
export async function findListingForUpdate(tx: Db, id: number): Promise<EditedRow | undefined> {
  return tx.selectFrom('listings').select(editedColumns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateListing(
  tx: Db,
  id: number,
  changes: Updateable<Tables['listings']>,
  lexemes?: readonly string[],
): Promise<void> {
  // `now()` is the start of the transaction, which may be before an edit that it waited for.
  const updated_at = sql<string>`clock_timestamp()`
  const row = { ...changes, ...(lexemes && { search: tsvector(lexemes) }), updated_at }
  await executeUnprepared(tx, tx.updateTable('listings').set(row).where('id', '=', id))
}

export type Amounts = Pick<Row<'listings'>, 'id' | 'state_id' | 'quantity_left'>

export async function updateAmounts(tx: Db, listings: readonly Amounts[]): Promise<void> {
  await sql`
    update listings l set state_id = a.state_id, quantity_left = a.quantity_left
    from json_to_recordset(${JSON.stringify(listings)}::json) as a (id bigint, state_id smallint, quantity_left smallint)
    where l.id = a.id`.execute(tx)
}

/** Returns whether no moderator has shown a listing of the member, and they have given and received nothing in a trade. */
export async function isNewcomer(db: Db, user: number): Promise<boolean> {
  const { rows } = await sql<{ is_newcomer: boolean }>`
    select not exists (select from unheld_members where user_id = me.id)
      and ${sql.raw(countHandedOver('giver_id', 'me.id'))} + ${sql.raw(countHandedOver('taker_id', 'me.id'))} = 0 as is_newcomer
    from ${me(user)}`.execute(db)
  return rows[0]?.is_newcomer === true
}

/** Remembers that the listings of a member are not held any more, because a moderator has shown one. */
export async function insertUnheld(tx: Db, unheld: Row<'unheld_members'>): Promise<void> {
  await tx
    .insertInto('unheld_members')
    .values(unheld)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Holds the next listings of a member again if it was this one that a moderator had shown. */
export async function deleteUnheld(tx: Db, { user_id, listing_id }: Row<'unheld_members'>): Promise<void> {
  await tx
    .deleteFrom('unheld_members')
    .where('user_id', '=', user_id)
    .where('listing_id', '=', listing_id)
    .execute()
}

/** Hides or shows a listing, which then is not held any more. Returns undefined if there is none. */
export function updateHidden(db: Db, id: number, hidden: boolean) {
  const hidden_at = hidden ? new Date().toISOString() : null
  return db
    .updateTable('listings')
    .set({ hidden_at, is_held: false })
    .where('id', '=', id)
    .returning(['id as listing_id', 'owner_id'])
    .executeTakeFirst()
}

/** Marks listings as ready whose day has begun, the earliest first. Skips locked rows, which the next run marks. */
export async function updateReady(tx: Db, limit: number) {
  const { rows } = await sql<{ id: number; owner_id: number }>`
    update listings set ready_at = null where id = any (array(
      select id from listings where ready_at <= now() order by ready_at limit ${limit} for update skip locked
    )) returning id, owner_id`.execute(tx)
  return rows
}

/** Marks expired listings as ended, the earliest first. Skips locked rows, which the next run marks. */
export async function updateEnded(tx: Db, limit: number) {
  const { rows } = await sql<{ id: number; owner_id: number }>`
    update listings set ended_at = now() where id = any (array(
      select id from listings where ended_at is null and expires_at <= now() order by expires_at limit ${limit}
      for update skip locked
    )) returning id, owner_id`.execute(tx)
  return rows
}

export interface DueReminder extends Pick<Row<'users'>, 'mail_listings'> {
  id: number
  owner_id: number
  needs_reminder: boolean
}

/**
 * Marks due reminders as sent: at least `limit` if there are so many, with those of the same owners that are due within `aheadHours`.
 * Skips locked rows, which the next run marks.
 */
export async function updateReminded(tx: Db, limit: number, aheadHours: number): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    update listings l set remind_at = null where id = any (array(
      select id from listings
      where remind_at <= now() + make_interval(hours => ${aheadHours}) and owner_id = any (array(
        select owner_id from listings where remind_at <= now() order by remind_at limit ${limit}
      ))
      for update skip locked
    ))
    returning id, owner_id, (select mail_listings from users where id = l.owner_id) as mail_listings,
      ${sql.raw(needsReminder)} and exists (select from users where id = l.owner_id and suspended_at is null) as needs_reminder`.execute(
    tx,
  )
  return rows
}

export async function deleteListing(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('listings').where('id', '=', id).execute()
}
