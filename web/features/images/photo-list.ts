import type { QueryClient } from '@tanstack/react-query'
import { createAtom, type Readable } from '@tanstack/react-store'
import pLimit from 'p-limit'
import { limits } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { changeImage, type Photo } from '#contract/images.ts'
import { listingMessages } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import type { AppContext } from '#web/app-context.ts'
import { isImage } from './is-image.ts'
import { createPhotoDrafts, type StoredPhoto } from './photo-drafts.ts'
import { prepareImage } from './prepare-image.ts'
import { uploadFailed, uploadPhoto } from './upload-photo.ts'

/** The server deletes unused photos after a day. Older ones are uploaded again. */
const maxUploadAgeMs = 20 * 60 * 60_000

export interface ListedPhoto extends StoredPhoto {
  /** Undefined for a photo that the listing has already. */
  readonly file: File | undefined
  /** The done share of the preparation or the upload, from 0 to 1. */
  readonly progress: number
}

export interface PhotoListState {
  readonly photos: readonly ListedPhoto[]
  /** The reason why the last chosen files were not added. */
  readonly problem: string | undefined
  /** Whether the photos come from a stored draft. */
  readonly isRestored: boolean
}

/** Thrown when a photo could not be uploaded. The photo shows the reason. */
export class PhotoNotSent extends Error {
  override readonly name = 'PhotoNotSent'
  constructor(options?: ErrorOptions) {
    super(uploadFailed, options)
  }
}

/** The photos of a form. They are prepared, uploaded and stored while the form is filled in. */
export interface PhotoList {
  readonly state: Readable<PhotoListState>
  /** Restores the stored photos and continues their uploads. */
  open(): Promise<void>
  /** Stops the uploads and stores nothing any more, unless the photos are being submitted. */
  close(): void
  add(files: readonly File[]): Promise<void>
  move(key: string, to: number): void
  remove(key: string): void
  describe(key: string, alt: string): void
  /** Uploads a refused photo again. */
  retry(key: string): void
  /** Sets the photos of the saved listing. They replace the shown ones unless the member has changed these. */
  reset(saved: readonly Photo[]): void
  /** Shows the saved photos again and deletes the stored ones. */
  discard(): void
  /**
   * Waits for the uploads, saves the descriptions, and calls `save` with the ids, or with undefined if nothing has changed. If the
   * server refuses the ids, uploads the photos again and calls `save` once more. After that the photos are saved and no draft. Throws
   * `PhotoNotSent`.
   */
  submit<Result>(save: (image_ids: number[] | undefined) => Promise<Result>): Promise<Result>
}

interface Options extends Pick<AppContext, 'login'> {
  readonly client: QueryClient
  /** The name of the form's draft. */
  readonly form: string
  readonly saved: readonly Photo[]
  /** Keys of stored photos that are not restored, because their listing is being posted. */
  readonly posting: ReadonlySet<string | null>
}

export function createPhotoList({ client, login, form, saved: savedAtStart, posting }: Options): PhotoList {
  const member = login.get()?.user.id
  const drafts = createPhotoDrafts(login, form)
  const prepareInTurn = pLimit(1)
  const uploads = new Map<string, { readonly done: Promise<void>; readonly controller: AbortController }>()
  let saved: readonly ListedPhoto[] = savedAtStart.map(savedPhoto)
  let isOpen = false
  let submissions = 0
  let restoring: Promise<void> | undefined
  const state = createAtom<PhotoListState>({ photos: saved, problem: undefined, isRestored: false })
  const photos = () => state.get().photos

  /** Throws if another member has logged in meanwhile. */
  function requireMember() {
    if (login.get()?.user.id !== member) throw new PhotoNotSent()
  }

  function show(change: Partial<PhotoListState>) {
    state.set((before) => ({ ...before, ...change }))
  }

  /** Shows the changed photos and stores them. */
  function update(changed: readonly ListedPhoto[]) {
    show({ photos: changed })
    if (isOpen) void drafts.write(isSame(changed, saved) ? undefined : changed.map(toStored))
  }

  function patch(key: string, change: Partial<ListedPhoto>) {
    update(photos().map((photo) => (photo.key === key ? { ...photo, ...change } : photo)))
  }

  function showProgress(key: string, progress: number) {
    show({ photos: photos().map((photo) => (photo.key === key ? { ...photo, progress } : photo)) })
  }

  function isSaved(key: string) {
    return saved.some((photo) => photo.key === key)
  }

  function find(key: string) {
    return photos().find((photo) => photo.key === key)
  }

  /** Prepares and uploads a photo. A running upload goes on. */
  function upload(key: string): Promise<void> {
    const running = uploads.get(key)
    if (running) return running.done
    const controller = new AbortController()
    const done = prepareAndUpload(key, controller.signal).finally(() => uploads.delete(key))
    uploads.set(key, { done, controller })
    // The photo shows the failure.
    done.catch(() => undefined)
    return done
  }

  async function prepareAndUpload(key: string, signal: AbortSignal) {
    const onProgress = (share: number) => !signal.aborted && showProgress(key, share)
    const photo = find(key)
    if (photo?.file === undefined) return
    let { file } = photo
    if (!photo.isPrepared) {
      const prepared = await prepareInTurn(() => prepareImage(file, { signal, onProgress }))
      file = prepared.file
      if (isOpen) void drafts.writeFile(key, file)
      patch(key, { file, warning: prepared.warning, isPrepared: true })
    }
    showProgress(key, 0)
    const image = await uploadPhoto(client, { key, file, signal, onProgress, requireMember })
    patch(key, { image, uploadedAt: Date.now() })
  }

  /** Uploads the photos that the server does not have, one after the other, and returns the ids of all. */
  async function send(): Promise<number[]> {
    for (;;) {
      const next = photos().find((photo) => !isUploaded(photo))
      if (next === undefined) break
      await upload(next.key).catch((cause: unknown) => {
        // A photo that was removed is not missed.
        if (find(next.key)) throw new PhotoNotSent({ cause })
      })
    }
    await Promise.all(photos().map(saveDescription))
    return photos().flatMap(({ image }) => image?.id ?? [])
  }

  async function saveDescription({ key, alt, image }: ListedPhoto) {
    if (image === undefined || alt.trim() === (image.alt ?? '')) return
    const described = await call(client, changeImage, {
      params: { id: image.id },
      body: { alt: alt.trim() || null },
    })
    patch(key, { image: described })
  }

  async function restore() {
    const stored = await drafts.read()
    const restored = stored
      ?.filter(({ key, file }) => !posting.has(key) && (file !== undefined || isSaved(key)))
      .map((photo) => ({ ...photo, progress: 0 }))
    if (!isOpen || restored === undefined || isSame(restored, saved)) return
    show({ photos: restored, isRestored: true })
    for (const photo of restored) if (!isUploaded(photo)) void upload(photo.key)
  }

  function add(files: readonly File[]) {
    const images = files.filter(isImage)
    const room = limits.photos.listing - photos().length
    const added = images.slice(0, room).map(newPhoto)
    update([...photos(), ...added])
    const problem = images.length > room ? listingMessages.tooManyPhotos : undefined
    show({ problem: images.length < files.length ? errorMessages.notAnImage : problem })
    for (const { key, file } of added) {
      if (file) void drafts.writeFile(key, file)
      void upload(key)
    }
  }

  /** Deletes these photos from the draft. */
  async function forget(keys: ReadonlySet<string>) {
    const stored = (await drafts.read())?.filter(({ key }) => !keys.has(key)) ?? []
    await drafts.write(stored.length === 0 ? undefined : stored.map(toStored))
  }

  function abort(key: string) {
    uploads.get(key)?.controller.abort()
  }

  return {
    state,
    async open() {
      isOpen = true
      restoring ??= restore()
      await restoring
    },
    close() {
      isOpen = false
      restoring = undefined
      if (submissions === 0) for (const key of uploads.keys()) abort(key)
    },
    async add(files) {
      await restoring
      add(files)
    },
    move(key, to) {
      const moved = find(key)
      if (moved === undefined || to < 0 || to >= photos().length) return
      update(
        photos()
          .filter((photo) => photo !== moved)
          .toSpliced(to, 0, moved),
      )
    },
    remove(key) {
      update(photos().filter((photo) => photo.key !== key))
      show({ problem: undefined })
      abort(key)
    },
    describe: (key, alt) => patch(key, { alt }),
    retry: (key) => void upload(key),
    reset(images) {
      const before = saved
      saved = images.map(savedPhoto)
      if (isSame(photos(), before)) show({ photos: saved })
      else update(photos().filter(({ key, file }) => file !== undefined || isSaved(key)))
    },
    discard() {
      for (const key of uploads.keys()) abort(key)
      update(saved)
      show({ problem: undefined, isRestored: false })
    },
    async submit(save) {
      submissions += 1
      try {
        for (const isLast of [false, true]) {
          const ids = await send()
          requireMember()
          try {
            const result = await save(isSame(photos(), saved) ? undefined : ids)
            saved = photos()
            await forget(new Set(saved.map(({ key }) => key)))
            return result
          } catch (error) {
            const again = photos().filter(({ file, image }) => file !== undefined && image !== undefined)
            if (isLast || again.length === 0 || !isRefusalOfPhotos(error)) throw error
            for (const { key } of again) patch(key, { image: undefined })
          }
        }
        throw new PhotoNotSent()
      } finally {
        submissions -= 1
      }
    },
  }
}

function newPhoto(file: File): ListedPhoto {
  return {
    key: crypto.randomUUID(),
    file,
    alt: '',
    isPrepared: false,
    warning: undefined,
    image: undefined,
    uploadedAt: undefined,
    progress: 0,
  }
}

function savedPhoto(image: Photo): ListedPhoto {
  return {
    key: `saved-${image.id}`,
    file: undefined,
    alt: image.alt ?? '',
    isPrepared: true,
    warning: undefined,
    image,
    uploadedAt: undefined,
    progress: 0,
  }
}

function toStored({ key, alt, isPrepared, warning, image, uploadedAt }: StoredPhoto): StoredPhoto {
  return { key, alt, isPrepared, warning, image, uploadedAt }
}

/** Returns whether the server has the photo, and will keep it until the form is submitted. */
export function isUploaded({ file, image, uploadedAt = 0 }: ListedPhoto): boolean {
  return image !== undefined && (file === undefined || uploadedAt > Date.now() - maxUploadAgeMs)
}

/** Returns whether the lists have the same photos with the same descriptions in the same order. */
function isSame(some: readonly ListedPhoto[], others: readonly ListedPhoto[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ key, alt }, index) => key === others[index]?.key && alt === others[index].alt)
  )
}

function isRefusalOfPhotos(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ field }) => field === 'image_ids')
}
