import type { DBSchema } from 'idb'
import type { Photo } from '#contract/images.ts'
import { databaseOpener } from '#web/api/open-database.ts'
import type { Login } from '#web/login/login-store.ts'
import { photoDatabase } from '#web/login/stored-data.ts'

/** The server deletes unused photos after a day. Older ones are uploaded again. */
export const maxUploadAgeMs = 20 * 60 * 60_000

/** The stored draft of a form's photo, without its file. */
export interface StoredPhoto {
  readonly key: string
  readonly alt: string
  /** False while the file is the original. */
  readonly isPrepared: boolean
  readonly warning: string | undefined
  /** The uploaded photo. */
  readonly image: Photo | undefined
  /** The time of the upload in milliseconds since 1970. */
  readonly uploadedAt: number | undefined
}

interface Schema extends DBSchema {
  /** The photos of a form in their order. */
  drafts: { key: string; value: readonly StoredPhoto[] }
  files: { key: string; value: File }
}

export interface PhotoDrafts {
  /** Returns the stored photos with their files. Returns undefined if nothing is stored, or storage is blocked. */
  read(): Promise<readonly (StoredPhoto & { file: File | undefined })[] | undefined>
  /** Stores the photos, and deletes the files of photos that are left out. `undefined` deletes all. */
  write(photos: readonly StoredPhoto[] | undefined): Promise<void>
  writeFile(key: string, file: File): Promise<void>
}

/** Stores the photos of a member's draft in IndexedDB. A logout deletes all (`clearDrafts`). */
export function createPhotoDrafts(login: Login, draftKey: string): PhotoDrafts {
  const member = login.get()?.user.id
  const storageKey = `${member}:${draftKey}`
  const open = databaseOpener<Schema>({
    name: photoDatabase,
    version: 1,
    upgrade(database) {
      database.createObjectStore('drafts')
      database.createObjectStore('files')
    },
  })

  /** Opens a transaction. Throws after a logout, so that nothing is written then. */
  async function transaction() {
    const database = await open()
    if (member === undefined || login.get()?.user.id !== member) throw new Error('The member has logged out')
    return database.transaction(['drafts', 'files'], 'readwrite')
  }

  return {
    async read() {
      try {
        const tx = await transaction()
        const photos = await tx.objectStore('drafts').get(storageKey)
        const files = tx.objectStore('files')
        return (
          photos &&
          (await Promise.all(photos.map(async (photo) => ({ ...photo, file: await files.get(photo.key) }))))
        )
      } catch {
        // The browser may block IndexedDB, for example in a private window.
        return undefined
      }
    },
    async write(photos) {
      try {
        const tx = await transaction()
        const kept = new Set(photos?.map(({ key }) => key))
        for (const { key } of (await tx.objectStore('drafts').get(storageKey)) ?? [])
          if (!kept.has(key)) void tx.objectStore('files').delete(key)
        if (photos === undefined) void tx.objectStore('drafts').delete(storageKey)
        else void tx.objectStore('drafts').put(photos, storageKey)
        await tx.done
      } catch (failure) {
        console.info('The photos were not stored:', failure)
      }
    },
    async writeFile(key, file) {
      try {
        const tx = await transaction()
        void tx.objectStore('files').put(file, key)
        await tx.done
      } catch (failure) {
        console.info('The photo was not stored:', failure)
      }
    },
  }
}
