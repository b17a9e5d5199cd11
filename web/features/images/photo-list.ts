import type { QueryClient } from '@tanstack/react-query'
import type { Readable } from '@tanstack/react-store'
import { errorMessages } from '#contract/error-messages.ts'
import type { Photo } from '#contract/images.ts'
import { hasCode } from '#web/api/api-error.ts'
import type { Login } from '#web/login/login-store.ts'
import { isImage } from './is-image.ts'
import { createPhotoDrafts } from './photo-drafts.ts'
import {
  createPhotoState,
  isUploaded,
  newPhoto,
  type PhotoListState,
  type PhotoState,
} from './photo-state.ts'
import { createPhotoUploads, type PhotoUploads } from './photo-uploads.ts'

interface Options {
  readonly client: QueryClient
  readonly login: Login
  readonly draftKey: string
  readonly saved: readonly Photo[]
  /** Keys of stored photos that are not restored, because their listing is being posted. */
  readonly posting?: ReadonlySet<string | null>
  /** The maximum number of photos, and the message if more are chosen. */
  readonly max: number
  readonly tooMany: string
}

export type PhotoList = ReturnType<typeof createPhotoList>

/** Holds the photos of a form or a message. They are prepared, uploaded and stored while it is written. */
export function createPhotoList({ client, login, draftKey, saved, posting = new Set(), ...limit }: Options) {
  const photos = createPhotoState(createPhotoDrafts(login, draftKey), saved)
  const uploads = createPhotoUploads({ client, login }, photos)
  let restoring: Promise<void> | undefined
  let submissions = 0
  const state: Readable<PhotoListState> = photos.state

  return {
    state,
    /** Restores the stored photos and continues their uploads. Does nothing if the list is open. */
    async open() {
      if (restoring !== undefined) return restoring
      photos.setOpen(true)
      restoring = photos.restore(posting)
      await restoring
      for (const photo of photos.get()) if (!isUploaded(photo)) void uploads.start(photo.key)
    },
    /** Stops the uploads and stores nothing any more, unless the photos are being submitted. */
    close() {
      restoring = undefined
      photos.setOpen(false)
      if (submissions === 0) uploads.abortAll()
    },
    async add(files: readonly File[]) {
      await restoring
      for (const key of addFiles(photos, files, limit)) void uploads.start(key)
    },
    move: (key: string, to: number) => movePhoto(photos, key, to),
    remove(key: string) {
      photos.set(photos.get().filter((photo) => photo.key !== key))
      photos.show({ problem: undefined })
      uploads.abort(key)
    },
    describe: (key: string, alt: string) => photos.patch(key, { alt }),
    /** Uploads a refused photo again. */
    retry: (key: string) => void uploads.start(key),
    abortUploads: uploads.abortAll,
    setSaved: photos.setSaved,
    /** Shows the saved photos again and deletes the stored ones. */
    discard() {
      uploads.abortAll()
      photos.discard()
    },
    /**
     * Waits for the uploads, saves the descriptions, and calls `save` with the ids, or with undefined if nothing has changed. If the
     * server refuses the ids, uploads the photos again and calls `save` once more. Deletes the stored photos. Throws `PhotoNotSent`.
     */
    async submit(save: (image_ids: number[] | undefined) => Promise<unknown>) {
      submissions += 1
      try {
        await uploadAndSave(photos, uploads, save)
        await photos.markSaved()
      } finally {
        submissions -= 1
      }
    },
  }
}

/** Calls `save` with the ids of the uploaded photos. If the server refuses them, uploads the photos again and calls it once more. */
async function uploadAndSave(
  photos: PhotoState,
  uploads: PhotoUploads,
  save: (image_ids: number[] | undefined) => Promise<unknown>,
) {
  const attempt = async () => save(photos.hasChanged() ? await uploads.finish() : undefined)
  try {
    await attempt()
  } catch (error) {
    if (!isRefusalOfPhotos(error) || !forgetUploads(photos)) throw error
    await attempt()
  }
}

/** Adds the files that are images, up to the limit. Returns the keys of the added photos. */
function addFiles(
  photos: PhotoState,
  files: readonly File[],
  { max, tooMany }: Pick<Options, 'max' | 'tooMany'>,
): string[] {
  const images = files.filter(isImage)
  const room = max - photos.get().length
  const added = images.slice(0, room).map(newPhoto)
  photos.set([...photos.get(), ...added])
  const problem = images.length > room ? tooMany : undefined
  photos.show({ problem: images.length < files.length ? errorMessages.notAnImage : problem })
  for (const { key, file } of added) photos.storeFile(key, file)
  return added.map(({ key }) => key)
}

function movePhoto(photos: PhotoState, key: string, to: number) {
  const moved = photos.find(key)
  if (moved)
    photos.set(
      photos
        .get()
        .filter((photo) => photo !== moved)
        .toSpliced(to, 0, moved),
    )
}

/** Makes the uploaded photos be uploaded again. Returns whether there are any. */
function forgetUploads(photos: PhotoState): boolean {
  const uploaded = photos.get().filter(({ file, image }) => file !== undefined && image !== undefined)
  for (const { key } of uploaded) photos.patch(key, { image: undefined })
  return uploaded.length > 0
}

function isRefusalOfPhotos(error: unknown): boolean {
  return hasCode(error, 'photos_not_usable')
}
