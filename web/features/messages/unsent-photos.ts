import { imageMessages, uploadImage } from '#contract/images.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import type { AppContext } from '#web/app-context.ts'
import { createPhotoDrafts, maxUploadAgeMs, type StoredPhoto } from '#web/features/images/photo-drafts.ts'

const lost = 'The photos are no longer on this device. Please add them again.'

interface UnsentPhoto extends StoredPhoto {
  readonly file: File | undefined
}

export interface KeyedFile {
  readonly key: string
  readonly file: File
}

/** The photos of unsent messages, in IndexedDB and in memory. `draft` names the photos of one message. */
export interface UnsentPhotos {
  store(draft: string, files: readonly File[]): void
  files(draft: string): Promise<readonly KeyedFile[]>
  /**
   * Uploads the photos that the server does not have and calls `send` with the ids of all. If the server does not know the ids,
   * uploads all again and calls `send` once more. `onProgress` receives the uploaded share from 0 to 1. Throws `ApiError`.
   */
  send<Result>(
    draft: string,
    onProgress: (share: number) => void,
    send: (image_ids: number[]) => Promise<Result>,
  ): Promise<Result>
  remove(draft: string): void
}

export function createUnsentPhotos({
  queryClient,
  login,
}: Pick<AppContext, 'queryClient' | 'login'>): UnsentPhotos {
  const known = new Map<string, readonly UnsentPhoto[]>()
  const stored = (draft: string) => createPhotoDrafts(login, `message-${draft}`)

  async function read(draft: string): Promise<readonly UnsentPhoto[]> {
    const photos = known.get(draft) ?? (await stored(draft).read()) ?? []
    known.set(draft, photos)
    return photos
  }

  async function write(draft: string, photos: readonly UnsentPhoto[]) {
    known.set(draft, photos)
    await stored(draft).write(photos.map(({ file: _, ...photo }) => photo))
  }

  async function upload(draft: string, onProgress: (share: number) => void): Promise<number[]> {
    const photos = await read(draft)
    const ids: number[] = []
    for (const [index, photo] of photos.entries()) {
      const image = isUploaded(photo)
        ? photo.image
        : await uploadOne(photo, (share) => onProgress((index + share) / photos.length))
      if (image === undefined) throw new ApiError({ status: 410, detail: lost })
      ids.push(image.id)
      if (image !== photo.image)
        await write(draft, withImage(await read(draft), { ...photo, image, uploadedAt: Date.now() }))
    }
    if (ids.length === 0) throw new ApiError({ status: 410, detail: lost })
    return ids
  }

  async function uploadOne({ file }: UnsentPhoto, onProgress: (share: number) => void) {
    return file && call(queryClient, uploadImage, { body: {}, file }, { onProgress })
  }

  return {
    store(draft, files) {
      const photos = files.map(newPhoto)
      void write(draft, photos)
      for (const { key, file } of photos) if (file) void stored(draft).writeFile(key, file)
    },
    files: async (draft) => (await read(draft)).flatMap(({ key, file }) => (file ? { key, file } : [])),
    async send(draft, onProgress, send) {
      try {
        return await send(await upload(draft, onProgress))
      } catch (failure) {
        if (!isRefusalOfPhotos(failure)) throw failure
        await write(
          draft,
          (await read(draft)).map((photo) => ({ ...photo, image: undefined })),
        )
        return send(await upload(draft, onProgress))
      }
    },
    remove(draft) {
      known.delete(draft)
      void stored(draft).write(undefined)
    },
  }
}

function newPhoto(file: File): UnsentPhoto {
  return {
    key: crypto.randomUUID(),
    alt: '',
    isPrepared: true,
    warning: undefined,
    image: undefined,
    uploadedAt: undefined,
    file,
  }
}

function withImage(photos: readonly UnsentPhoto[], uploaded: UnsentPhoto): UnsentPhoto[] {
  return photos.map((photo) => (photo.key === uploaded.key ? uploaded : photo))
}

function isUploaded({ image, uploadedAt = 0 }: UnsentPhoto): boolean {
  return image !== undefined && uploadedAt > Date.now() - maxUploadAgeMs
}

function isRefusalOfPhotos(failure: unknown): boolean {
  return failure instanceof ApiError && failure.detail === imageMessages.notUsable
}
