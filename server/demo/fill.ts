import type { Deps } from '#server/deps.ts'
import { hashPassword, verifyPassword } from '#server/features/auth/passwords.ts'
import { reindexListings } from '#server/features/listings/indexing.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import { demoPassword, type Gardener, gardeners, visitor } from './gardeners.ts'
import { type DemoListing, listings } from './listings.ts'
import { type Album, removeAlbum, storeAlbum } from './photo-album.ts'
import {
  findPasswordHash,
  hasMembers,
  insertFriendships,
  insertImages,
  insertListings,
  insertMembers,
  insertMessages,
  insertThreads,
  insertWants,
  lockMembers,
} from './queries.ts'
import { friendshipRows, listingRow, memberRow, messageRows, threadRows, wantRows } from './rows.ts'

const people: readonly Gardener[] = gardeners

/**
 * Moves the demo town into a database that holds no member; any other is left as it is. The rows come in one
 * transaction that keeps everybody else from joining meanwhile, so there is the whole town or nothing of it.
 * Returns whether it moved in. `market` is what the gardeners have posted, newest first.
 */
export async function fillWithDemo(
  { db, images }: Pick<Deps, 'db' | 'images'>,
  market: readonly DemoListing[] = listings,
): Promise<boolean> {
  if (await hasMembers(db)) return false
  const [passwordHash, album] = await Promise.all([
    hashPassword(demoPassword),
    storeAlbum(images, {
      photos: market.flatMap(({ photo }) => photo ?? []),
      portraits: people.flatMap(({ portrait }) => portrait ?? []),
    }),
  ])
  try {
    const filled = await db.transaction().execute((tx) => moveIn(tx, market, passwordHash, album))
    if (filled) await reindexListings(db)
    else await removeAlbum(images, album)
    return filled
  } catch (error) {
    await removeAlbum(images, album)
    throw error
  }
}

async function moveIn(
  tx: Db<Tables>,
  market: readonly DemoListing[],
  password_hash: string,
  album: Album,
): Promise<boolean> {
  await lockMembers(tx)
  if (await hasMembers(tx)) return false

  const now = Date.now()
  await insertImages(tx, [...album.values()])
  const ids = await insertMembers(
    tx,
    people.map((gardener, turn) => {
      const picture_name = album.get(gardener.portrait ?? '')?.name ?? null
      return memberRow(gardener, turn, { now, password_hash, picture_name })
    }),
  )
  const idOf = (username: string) => {
    const id = ids.get(username)
    if (id === undefined) throw new Error(`${username} does not live in the demo town`)
    return id
  }
  await insertFriendships(tx, friendshipRows(idOf, now))
  await insertWants(tx, wantRows(idOf, now))
  const messages = await insertMessages(tx, messageRows(idOf, now))
  await insertThreads(tx, threadRows(idOf, messages, now))
  const rows = market.map((listing, index) => {
    const image_name = album.get(listing.photo ?? '')?.name ?? null
    return listingRow(listing, index / market.length, { now, owner_id: idOf(listing.by), image_name })
  })
  // The oldest gets the lowest id: lists go by id.
  await insertListings(tx, rows.toReversed())
  return true
}

/** How to log in as the visitor of the demo town, while that is possible. */
export async function demoLogin({
  db,
}: Pick<Deps, 'db'>): Promise<{ email: string; password: string } | undefined> {
  const hash = await findPasswordHash(db, visitor.email)
  if (hash === undefined || !(await verifyPassword(hash, demoPassword))) return undefined
  return { email: visitor.email, password: demoPassword }
}
