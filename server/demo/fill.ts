import type { Insertable } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { hashPassword, verifyPassword } from '#server/features/auth/passwords.ts'
import { indexNewListings } from '#server/features/listings/indexing.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { Db, Tables } from '#server/tables.ts'
import { figureRows } from './figures.ts'
import { type DemoListing, listings } from './listings.ts'
import { type DemoMember, demoPassword, members, visitor } from './members.ts'
import { type Album, type Picture, removeAlbum, storeAlbum } from './photo-album.ts'
import {
  findPasswordHash,
  hasMembers,
  insertRows,
  insertTrade,
  lockMembers,
  updatePictures,
} from './queries.ts'
import {
  cropWeekRows,
  friendshipRows,
  listingPictures,
  listingRow,
  memberRow,
  messagePictures,
  messageRows,
  threadRows,
  tradeRows,
  wantRows,
} from './rows.ts'
import { trades } from './trades.ts'

const demoMembers: readonly DemoMember[] = members

/**
 * Fills a database without members with the demo data. The rows are inserted in one transaction that blocks registrations. Returns
 * whether it filled the database. `market` has the listings, newest first.
 */
export async function fillWithDemo(
  { db, images }: Pick<Deps, 'db' | 'images'>,
  market: readonly DemoListing[] = listings,
): Promise<boolean> {
  if (await hasMembers(db)) return false
  const [passwordHash, album] = await Promise.all([
    hashPassword(demoPassword),
    storeAlbum(images, {
      photos: [...market.flatMap(listingPictures), ...messagePictures.flat()],
      portraits: demoMembers.flatMap(({ portrait }) => (portrait ? { key: portrait, file: portrait } : [])),
    }),
  ])
  try {
    const filled = await inTransaction(db, (tx) => insertDemo(tx, market, passwordHash, album))
    if (filled) await indexNewListings(db)
    else await removeAlbum(images, album)
    return filled
  } catch (error) {
    await removeAlbum(images, album)
    throw error
  }
}

async function insertDemo(
  tx: Db,
  market: readonly DemoListing[],
  password_hash: string,
  album: Album,
): Promise<boolean> {
  await lockMembers(tx)
  if (await hasMembers(tx)) return false

  const now = Date.now()
  const users = demoMembers.map((member, index) => memberRow(member, index, { now, password_hash }))
  const ids = new Map((await insertRows(tx, 'users', users)).map(({ id, username }) => [username, id]))
  const idOf = (username: string) => {
    const id = ids.get(username)
    if (id === undefined) throw new Error(`There is no demo member ${username}`)
    return id
  }
  const avatars = demoMembers.flatMap(({ username, portrait = '' }) => {
    const image = album.get(portrait)
    return image ? { ...image, owner_id: idOf(username), purpose: 'avatar' as const } : []
  })
  await insertRows(tx, 'images', avatars)
  await updatePictures(tx)
  await insertRows(tx, 'friendships', friendshipRows(idOf, now))
  await insertRows(tx, 'wants', wantRows(idOf, now))
  await insertRows(tx, 'crop_weeks', cropWeekRows(now))
  const messages = (await insertRows(tx, 'messages', messageRows(idOf, now))).sort((a, b) => a.id - b.id)
  await insertRows(tx, 'threads', threadRows(idOf, messages, now))
  const rows = market.map((listing, index) =>
    listingRow(listing, index / market.length, { now, owner_id: idOf(listing.by) }),
  )
  // The oldest listing gets the lowest id, because lists are ordered by id.
  const stored = new Map(
    (await insertRows(tx, 'listings', rows.toReversed())).map((listing) => [listing.title, listing]),
  )
  await insertRows(tx, 'images', [
    ...market.flatMap((listing) => {
      const row = stored.get(listing.title)
      const use = row && { owner_id: row.owner_id, listing_id: row.id }
      return use ? photoRows(use, listingPictures(listing), album) : []
    }),
    ...messages.flatMap(({ id, sender_id }, index) =>
      photoRows({ owner_id: sender_id, message_id: id }, messagePictures[index] ?? [], album),
    ),
  ])
  for (const trade of trades) {
    const rows = tradeRows(trade, (title) => stored.get(title), idOf, now)
    if (rows) await insertTrade(tx, rows)
  }
  await insertRows(tx, 'daily_figures', figureRows(now))
  return true
}

/** The listing or the message that has the photos. */
type PhotoUse = Pick<Insertable<Tables['images']>, 'owner_id' | 'listing_id' | 'message_id'>

/** Returns the rows of the photos of a listing or a message, in their order. */
function photoRows(
  use: PhotoUse,
  pictures: readonly Picture[],
  album: Album,
): Insertable<Tables['images']>[] {
  return pictures.flatMap(({ key }, position) => {
    const image = album.get(key)
    return image ? { ...image, ...use, purpose: 'photo', position } : []
  })
}

/** Returns the login of the demo visitor, or undefined if its password is another or the member is missing. */
export async function demoLogin({
  db,
}: Pick<Deps, 'db'>): Promise<{ email: string; password: string } | undefined> {
  const hash = await findPasswordHash(db, visitor.email)
  if (hash === undefined || !(await verifyPassword(hash, demoPassword))) return undefined
  return { email: visitor.email, password: demoPassword }
}
