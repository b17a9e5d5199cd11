import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb'
import { image } from '#contract/constants.ts'
import type { Photo } from '#contract/images.ts'
import { withDatabase } from '#web/api/with-database.ts'
import { type Login, shownMemberId } from '#web/login/login-store.ts'
import { photoDatabase } from '#web/login/stored-data.ts'
import { type Warning, warnings } from './prepare-image.ts'

/** Older uploads are repeated, because the server may delete them before they are used. */
export const maxUploadAgeMs = image.unusedLifetimeMs - 4 * 60 * 60_000

/** The stored draft of a form's photo, without its file. */
export interface StoredPhoto {
  readonly key: string
  readonly alt: string
  /** False while the file is the original. */
  readonly isPrepared: boolean
  readonly warning?: Warning | undefined
  /** The uploaded photo. */
  readonly image?: Photo | undefined
  /** The time of the upload in milliseconds since 1970. */
  readonly uploadedAt?: number | undefined
}

/** Returns the stored photos; undefined if something else is stored. */
function readPhotos(stored: unknown): StoredPhoto[] | undefined {
  if (!Array.isArray(stored) || !stored.every(isStoredPhoto)) return undefined
  // Another release may know other warnings.
  return stored.map(({ warning, ...photo }) =>
    warning !== undefined && warnings.includes(warning) ? { ...photo, warning } : photo,
  )
}

function isStoredPhoto(stored: unknown): stored is StoredPhoto {
  const { key, alt, isPrepared, image, uploadedAt } = Object(stored)
  return (
    typeof key === 'string' &&
    typeof alt === 'string' &&
    typeof isPrepared === 'boolean' &&
    (image === undefined || (typeof image?.id === 'number' && typeof image.src === 'string')) &&
    (uploadedAt === undefined || typeof uploadedAt === 'number')
  )
}

interface Schema extends DBSchema {
  /** The photos of a form in their order. */
  drafts: { key: string; value: readonly StoredPhoto[] }
  files: { key: string; value: File }
}

const database = {
  name: photoDatabase,
  version: 1,
  upgrade(database: IDBPDatabase<Schema>) {
    database.createObjectStore('drafts')
    database.createObjectStore('files')
  },
}

type Stores = ('drafts' | 'files')[]
type PhotoTransaction = IDBPTransaction<Schema, Stores, 'readwrite'>

export type PhotoDrafts = ReturnType<typeof createPhotoDrafts>

/** Stores the photos of a member's draft in IndexedDB. A logout deletes all (`clearDrafts`). */
export function createPhotoDrafts(login: Login, draftKey: string) {
  const member = shownMemberId(login)
  const storageKey = `${member}:${draftKey}`

  /** Runs the work in a transaction. Throws after a logout, so that nothing is written then. */
  function inTransaction<Result>(work: (tx: PhotoTransaction) => Promise<Result>): Promise<Result> {
    return withDatabase(database, async (opened) => {
      if (member === undefined || shownMemberId(login) !== member)
        throw new Error('The member has logged out')
      const tx = opened.transaction<Stores, 'readwrite'>(['drafts', 'files'], 'readwrite')
      const [result] = await Promise.all([work(tx), tx.done])
      return result
    })
  }

  async function readStored(tx: PhotoTransaction) {
    return readPhotos(await tx.objectStore('drafts').get(storageKey))
  }

  return {
    /** Returns the stored photos with their files. Returns undefined if none or something else is stored, or storage is blocked. */
    async read() {
      try {
        return await inTransaction(async (tx) => {
          const photos = await readStored(tx)
          const files = tx.objectStore('files')
          return (
            photos &&
            (await Promise.all(photos.map(async (photo) => ({ ...photo, file: await files.get(photo.key) }))))
          )
        })
      } catch {
        // The browser may block IndexedDB, for example in a private window.
        return undefined
      }
    },
    /** Stores the photos, and deletes the files of photos that are left out. `undefined` deletes all. */
    async write(photos: readonly StoredPhoto[] | undefined) {
      try {
        await inTransaction(async (tx) => {
          const kept = new Set(photos?.map(({ key }) => key))
          for (const { key } of (await readStored(tx)) ?? [])
            if (!kept.has(key)) void tx.objectStore('files').delete(key)
          if (photos === undefined) void tx.objectStore('drafts').delete(storageKey)
          else void tx.objectStore('drafts').put(photos, storageKey)
        })
      } catch (failure) {
        console.info('The photos were not stored:', failure)
      }
    },
    async writeFile(key: string, file: File) {
      try {
        await inTransaction((tx) => tx.objectStore('files').put(file, key))
      } catch (failure) {
        console.info('The photo was not stored:', failure)
      }
    },
  }
}
