import { avatarPath, type PhotoRow, photoRows } from '#server/features/images/paths.ts'
import { isHeld } from '#server/features/visibility/listings.ts'
import { namesOf } from '#server/platform/db/expressions.ts'
import type { Row } from '#server/tables.ts'

/** Marks the columns of listings that a response needs. A new column does not compile without an entry. */
const columns = {
  id: true,
  title: true,
  description: true,
  price: true,
  is_active: true,
  is_public: true,
  type_id: true,
  state_id: true,
  category_id: true,
  drawing: true,
  open_to_rings: true,
  quantity: true,
  quantity_left: true,
  unit: true,
  ready_from: true,
  ready_at: false,
  owner_id: true,
  // The owner's. It is never sent to clients.
  postal_code_id: true,
  created_at: true,
  updated_at: true,
  expires_at: true,
  hidden_at: false,
  is_held: false,
  days: false,
  ended_at: false,
  remind_at: false,
  search: false,
  index_version: false,
  client_id: false,
  folded_under: false,
  folded_count: true,
  crops: false,
} as const satisfies Record<keyof Row<'listings'>, boolean>
type ReadColumn = {
  [Name in keyof typeof columns]: (typeof columns)[Name] extends true ? Name : never
}[keyof typeof columns]

/** Computes what a response has besides columns. */
const computed = {
  owner_username: 'o.username',
  owner_profile_picture: avatarPath('o', 'small'),
  is_expired: 'l.expires_at <= now()',
  is_held: isHeld,
  is_hidden: 'l.hidden_at is not null',
  photos: photoRows('i.listing_id = l.id'),
} as const satisfies Record<keyof Computed, string>

interface Computed {
  owner_username: string
  owner_profile_picture: string | null
  is_expired: boolean
  is_held: boolean
  is_hidden: boolean
  /** Null without photos. */
  photos: PhotoRow[] | null
}

export type ListingRow = Pick<Row<'listings'>, ReadColumn> & Computed

const listingColumns = [
  ...namesOf(columns).map((name) => `l.${name}`),
  ...Object.entries(computed).map(([name, expression]) => `${expression} as ${name}`),
].join(', ')

/** A listing with the caller's location. */
export type VisibleRow = ListingRow & { caller_postal_code_id: number }

/** Selects the columns of a `VisibleRow`. `caller` is a placeholder. */
export function visibleColumns(caller: string): string {
  const location = `(select postal_code_id from users where id = ${caller})`
  return `${listingColumns}, coalesce(${location}, 0) as caller_postal_code_id`
}
