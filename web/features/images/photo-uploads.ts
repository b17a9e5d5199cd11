import type { QueryClient } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { changeImage } from '#contract/images.ts'
import { call } from '#web/api/client.ts'
import type { Login } from '#web/features/auth/login-store.ts'
import { isUploaded, type ListedPhoto, type PhotoState } from './photo-state.ts'
import { prepareImage } from './prepare-image.ts'
import { uploadFailed, uploadPhoto } from './upload-photo.ts'

/** Thrown when a photo could not be uploaded. The photo shows the reason. */
export class PhotoNotSent extends Error {
  override readonly name = 'PhotoNotSent'
  constructor(options?: ErrorOptions) {
    super(uploadFailed, options)
  }
}

interface Dependencies {
  readonly client: QueryClient
  readonly login: Login
}

/** Prepares and uploads the photos of a form. */
export function createPhotoUploads({ client, login }: Dependencies, photos: PhotoState) {
  const member = login.get()?.user.id
  const prepareInTurn = pLimit(1)
  const running = new Map<string, { readonly done: Promise<void>; readonly controller: AbortController }>()

  /** Throws if another member has logged in meanwhile. */
  function requireMember() {
    if (login.get()?.user.id !== member) throw new PhotoNotSent()
  }

  /** Prepares and uploads a photo, unless that is running. */
  function start(key: string): Promise<void> {
    const upload = running.get(key)
    if (upload) return upload.done
    const controller = new AbortController()
    const done = prepareAndUpload(key, controller.signal).finally(() => running.delete(key))
    running.set(key, { done, controller })
    // The photo shows the failure.
    done.catch(() => undefined)
    return done
  }

  async function prepareAndUpload(key: string, signal: AbortSignal) {
    const onProgress = (share: number) => !signal.aborted && photos.showProgress(key, share)
    const photo = photos.find(key)
    if (photo?.file === undefined) return
    let { file } = photo
    if (!photo.isPrepared) {
      const prepared = await prepareInTurn(() => prepareImage(file, { signal, onProgress }))
      file = prepared.file
      photos.storeFile(key, file)
      photos.patch(key, { file, warning: prepared.warning, isPrepared: true })
    }
    photos.showProgress(key, 0)
    const image = await uploadPhoto(client, { key, file, signal, onProgress, requireMember })
    photos.patch(key, { image, uploadedAt: Date.now() })
  }

  return {
    start,
    abort: (key: string) => running.get(key)?.controller.abort(),
    abortAll() {
      for (const { controller } of running.values()) controller.abort()
    },
    /** Waits for all uploads, saves the descriptions, and returns the ids. Throws `PhotoNotSent`. */
    async finish(): Promise<number[]> {
      for (;;) {
        const next = photos.get().find((photo) => !isUploaded(photo))
        if (next === undefined) break
        await start(next.key).catch((cause: unknown) => {
          // A photo that was removed is not missed.
          if (photos.find(next.key)) throw new PhotoNotSent({ cause })
        })
      }
      requireMember()
      await Promise.all(photos.get().map((photo) => saveDescription(client, photos, photo)))
      return photos.get().flatMap(({ image }) => image?.id ?? [])
    },
  }
}

async function saveDescription(client: QueryClient, photos: PhotoState, { key, alt, image }: ListedPhoto) {
  if (image === undefined || alt.trim() === (image.alt ?? '')) return
  const input = { params: { id: image.id }, body: { alt: alt.trim() || null } }
  photos.patch(key, { image: await call(client, changeImage, input) })
}
