import type { DBSchema } from 'idb'
import { z } from 'zod/mini'
import { image } from '#contract/constants.ts'
import { photo } from '#contract/images.ts'
import { databaseOpener } from '#web/api/open-database.ts'
import { type Login, shownMemberId } from '#web/login/login-store.ts'
import { photoDatabase } from '#web/login/stored-data.ts'

/** Older uploads are repeated, because the server may delete them before they are used. */
export const maxUploadAgeMs = image.unusedLifetimeMs - 4 * 60 * 60_000

/** The stored draft of a form's photo, without its file. */
const storedPhoto = z.object({
  key: z.string(),
  alt: z.string(),
  /** False while the file is the original. */
  isPrepared: z.boolean(),
  warning: z.optional(z.string()),
  /** The uploaded photo. */
  image: z.optional(photo),
  /** The time of the upload in milliseconds since 1970. */
  uploadedAt: z.optional(z.number()),
})
export type StoredPhoto = Readonly<z.output<typeof storedPhoto>>
const storedPhotos = z.array(storedPhoto)

interface Schema extends DBSchema {
  /** The photos of a form in their order. */
  drafts: { key: string; value: readonly StoredPhoto[] }
  files: { key: string; value: File }
}

export interface PhotoDrafts {
  /** Returns the stored photos with their files. Returns undefined if none or something else is stored, or storage is blocked. */
  read(): Promise<readonly (StoredPhoto & { file: File | undefined })[] | undefined>
  /** Stores the photos, and deletes the files of photos that are left out. `undefined` deletes all. */
  write(photos: readonly StoredPhoto[] | undefined): Promise<void>
  writeFile(key: string, file: File): Promise<void>
}

/** Stores the photos of a member's draft in IndexedDB. A logout deletes all (`clearDrafts`). */
export function createPhotoDrafts(login: Login, draftKey: string): PhotoDrafts {
  const member = shownMemberId(login)
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
    if (member === undefined || shownMemberId(login) !== member) throw new Error('The member has logged out')
    return database.transaction(['drafts', 'files'], 'readwrite')
  }

  return {
    async read() {
      try {
        const tx = await transaction()
        const photos = storedPhotos.safeParse(await tx.objectStore('drafts').get(storageKey)).data
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
        const stored = storedPhotos.safeParse(await tx.objectStore('drafts').get(storageKey)).data
        for (const { key } of stored ?? []) if (!kept.has(key)) void tx.objectStore('files').delete(key)
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
