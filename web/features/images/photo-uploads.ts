import type { QueryClient } from '@tanstack/react-query'
import pLimit, { type LimitFunction } from 'p-limit'
import { changeImage } from '#contract/images.ts'
import { call } from '#web/api/client.ts'
import type { Login } from '#web/login/login-store.ts'
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

export type PhotoUploads = ReturnType<typeof createPhotoUploads>

/** Prepares and uploads the photos of a form or a message. */
export function createPhotoUploads({ client, login }: Dependencies, photos: PhotoState) {
  const member = login.get()?.user.id
  const preparations = pLimit(1)
  const running = new Map<string, { readonly done: Promise<void>; readonly controller: AbortController }>()

  /** Throws if another member has logged in meanwhile. */
  function requireMember() {
    if (login.get()?.user.id !== member) throw new PhotoNotSent()
  }

  /** Prepares and uploads a photo, unless that is running. */
  function start(key: string): Promise<void> {
    const started = running.get(key)
    if (started) return started.done
    const controller = new AbortController()
    const { signal } = controller
    const done = prepare(photos, key, signal, preparations)
      .then(() => upload(client, photos, key, signal, requireMember))
      .finally(() => running.delete(key))
    running.set(key, { done, controller })
    // The photo shows the failure.
    done.catch(() => undefined)
    return done
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
          // The failure of a photo that was removed meanwhile does not matter.
          if (photos.find(next.key)) throw new PhotoNotSent({ cause })
        })
      }
      requireMember()
      await Promise.all(photos.get().map((photo) => saveDescription(client, photos, photo)))
      return photos.get().flatMap(({ image }) => image?.id ?? [])
    },
  }
}

/** Prepares a photo after those that are being prepared, unless it is prepared. */
async function prepare(photos: PhotoState, key: string, signal: AbortSignal, preparations: LimitFunction) {
  const photo = photos.find(key)
  if (photo?.file === undefined || photo.isPrepared) return
  const original = photo.file
  const onProgress = progressReporter(photos, key, signal)
  const { file, warning } = await preparations(() => prepareImage(original, { signal, onProgress }))
  photos.storeFile(key, file)
  photos.patch(key, { file, warning, isPrepared: true })
}

async function upload(
  client: QueryClient,
  photos: PhotoState,
  key: string,
  signal: AbortSignal,
  requireMember: () => void,
) {
  const file = photos.find(key)?.file
  if (file === undefined) return
  photos.showProgress(key, 0)
  const onProgress = progressReporter(photos, key, signal)
  const image = await uploadPhoto(client, { key, file, signal, onProgress, requireMember })
  photos.patch(key, { image, uploadedAt: Date.now() })
}

function progressReporter(photos: PhotoState, key: string, signal: AbortSignal) {
  return (progress: number) => !signal.aborted && photos.showProgress(key, progress)
}

async function saveDescription(client: QueryClient, photos: PhotoState, { key, alt, image }: ListedPhoto) {
  if (image === undefined || alt.trim() === (image.alt ?? '')) return
  const input = { params: { id: image.id }, body: { alt: alt.trim() || null } }
  photos.patch(key, { image: await call(client, changeImage, input) })
}
