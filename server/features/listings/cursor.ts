import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Sort } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { ownKey } from '#server/features/keys/keys.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Position } from './orders.ts'

/** Where a page ended: in which stretch of the list, and how far along it. */
export interface Bookmark extends Position {
  readonly stretch: number
}

/** Bookmarks as clients get them: good for the one sort only, and sealed, as a page may end at what its reader may not see. */
export interface Cursors {
  cursorOf(sort: Sort, bookmark: Bookmark): string
  /** Throws `invalid` for what no page of this sort has given out. */
  bookmarkIn(cursor: string, sort: Sort): Bookmark
}

const known = new WeakMap<Deps['db'], Cursors>()

export async function cursorsFor(db: Deps['db']): Promise<Cursors> {
  const cursors = known.get(db) ?? sealedWith(await ownKey(db, 'cursors', () => randomBytes(bytes.keys)))
  known.set(db, cursors)
  return cursors
}

const cipher = 'aes-128-gcm'
const bytes = { key: 16, keys: 48, nonce: 12, bookmark: 11, tag: 16 }
const form = /^[\w-]{52}$/
/** Where each part of a bookmark begins. */
const at = { stretch: 0, id: 1, key: 7 }
/** Prices are in cents. */
const fractions = 100

function sealedWith(keys: Buffer): Cursors {
  const [key, nonceKey] = [keys.subarray(0, bytes.key), keys.subarray(bytes.key)]

  // By what it seals, so that a page has the same cursor each time. Most of the hash is cut off, so nobody can hash on, and the
  // key may just stand in front: an HMAC takes seven times as long, a twentieth of the page's time.
  function nonceOf(sort: Sort, bookmark: Buffer): Buffer {
    const sealed = Buffer.concat([nonceKey, bookmark, Buffer.from(sort)])
    return hash('sha256', sealed, 'buffer').subarray(0, bytes.nonce)
  }

  function open(cursor: string, sort: Sort): Buffer | undefined {
    if (!form.test(cursor)) return undefined
    const sealed = Buffer.from(cursor, 'base64url')
    const decipher = createDecipheriv(cipher, key, sealed.subarray(0, bytes.nonce), {
      authTagLength: bytes.tag,
    })
    decipher.setAAD(Buffer.from(sort)).setAuthTag(sealed.subarray(-bytes.tag))
    const bookmark = decipher.update(sealed.subarray(bytes.nonce, -bytes.tag))
    try {
      decipher.final()
    } catch {
      return undefined
    }
    return bookmark
  }

  return {
    cursorOf(sort, { stretch, id, key: where }) {
      const bookmark = Buffer.alloc(bytes.bookmark)
      bookmark.writeUInt8(stretch, at.stretch)
      bookmark.writeUIntBE(id, at.id, at.key - at.id)
      bookmark.writeUInt32BE(Math.round(where * fractions), at.key)
      const nonce = nonceOf(sort, bookmark)
      const seal = createCipheriv(cipher, key, nonce, { authTagLength: bytes.tag }).setAAD(Buffer.from(sort))
      return Buffer.concat([nonce, seal.update(bookmark), seal.final(), seal.getAuthTag()]).toString(
        'base64url',
      )
    },
    bookmarkIn(cursor, sort) {
      const bookmark = open(cursor, sort)
      if (!bookmark) throw invalid('cursor', 'Please check "cursor"')
      return {
        stretch: bookmark.readUInt8(at.stretch),
        id: bookmark.readUIntBE(at.id, at.key - at.id),
        key: bookmark.readUInt32BE(at.key) / fractions,
      }
    },
  }
}
