import type { QueryClient } from '@tanstack/react-query'
import { createAtom, type Readable } from '@tanstack/react-store'
import pLimit from 'p-limit'
import { errorMessages } from '#contract/error-messages.ts'
import { changeImage, type Photo } from '#contract/images.ts'
import { errorText, hasCode } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import type { Login } from '#web/login/login-store.ts'
import { isImage } from './is-image.ts'
import { createPhotoDrafts, type PhotoDrafts } from './photo-drafts.ts'
import {
  isSame,
  isUploaded,
  type ListedPhoto,
  newPhoto,
  type PhotoListState,
  refusedFile,
  restoredPhoto,
  savedPhoto,
  toStored,
} from './photo-state.ts'
import { prepareImage } from './prepare-image.ts'
import { uploadFailed, uploadPhoto } from './upload-photo.ts'

/** Thrown when a photo could not be uploaded. The photo shows the reason. */
export class PhotoNotSent extends Error {
  override readonly name = 'PhotoNotSent'
  constructor(options?: ErrorOptions) {
    super(uploadFailed(), options)
  }
}

export interface PhotoListOptions {
  readonly client: QueryClient
  readonly login: Login
  readonly draftKey: string
  /** The maximum number of photos. A new one replaces the photo of a list for one. */
  readonly max: number
  /** The message if more are chosen. */
  readonly tooMany?: string
  /** False if the form sends the file itself. */
  readonly uploads?: boolean
  /** Returns whether a stored photo is not restored, because its listing is being posted. */
  readonly isPosting?: (key: string) => boolean
}

/** More files that are no pictures are not named. */
const maxRefused = 6

/**
 * The photos of a form or a message, the only place of their state. While it is written, they are prepared and uploaded, and what
 * differs from the saved photos is stored in IndexedDB.
 */
export class PhotoList {
  readonly #options: PhotoListOptions
  readonly #drafts: PhotoDrafts
  readonly #state = createAtom<PhotoListState>({
    photos: [],
    refused: [],
    problem: undefined,
    isRestored: false,
  })
  readonly #preparations = pLimit(1)
  readonly #member: number | undefined
  #saved: readonly ListedPhoto[] = []
  /** Defined while the form is open. */
  #opening: Promise<void> | undefined
  #submissions = 0

  constructor(options: PhotoListOptions, saved: readonly Photo[] = []) {
    this.#options = options
    this.#drafts = createPhotoDrafts(options.login, options.draftKey)
    this.#member = options.login.get()?.user.id
    this.setSaved(saved)
  }

  get state(): Readable<PhotoListState> {
    return this.#state
  }

  get photos(): readonly ListedPhoto[] {
    return this.#state.get().photos
  }

  /** Restores the stored photos and continues their uploads. Does nothing if the list is open. */
  open(): Promise<void> {
    this.#opening ??= this.#restore().then(() => {
      for (const photo of this.photos) if (!this.#isReady(photo)) void this.#run(photo.key)
    })
    return this.#opening
  }

  /** Stops the uploads and stores nothing any more, unless the photos are being submitted. */
  close() {
    this.#opening = undefined
    if (this.#submissions === 0) this.abortUploads()
  }

  /** Adds the files that are images, up to the maximum. Names the others. */
  async add(files: Iterable<File>) {
    const chosen = await Promise.all([...files].map(async (file) => ({ file, isImage: await isImage(file) })))
    await this.#opening
    const { max, tooMany } = this.#options
    const images = chosen.filter((each) => each.isImage).map(({ file }) => file)
    const others = chosen.filter((each) => !each.isImage).map(({ file }) => refusedFile(file))
    const kept = max === 1 && images.length > 0 ? [] : this.photos
    const added = images.slice(0, max - kept.length).map(newPhoto)
    if (kept !== this.photos) this.abortUploads()
    this.#set([...kept, ...added])
    const problem = images.length > added.length ? tooMany : undefined
    const refused = [...this.#state.get().refused, ...others].slice(-maxRefused)
    this.#show({ refused, problem: others.length > 0 ? errorMessages.notAnImage : problem })
    for (const { key, file } of added) {
      this.#storeFile(key, file)
      void this.#run(key)
    }
  }

  move(key: string, to: number) {
    const moved = this.#find(key)
    if (moved) this.#set(this.photos.filter((photo) => photo !== moved).toSpliced(to, 0, moved))
  }

  remove(key: string) {
    this.#find(key)?.run?.controller.abort()
    this.#set(this.photos.filter((photo) => photo.key !== key))
    this.#show({ problem: undefined })
  }

  /** No longer names a file that is no picture. */
  dismiss(key: string) {
    const refused = this.#state.get().refused.filter((file) => file.key !== key)
    this.#show({ refused, ...(refused.length === 0 && { problem: undefined }) })
  }

  describe(key: string, alt: string) {
    this.#patch(key, { alt })
  }

  /** Uploads a refused photo again. */
  retry(key: string) {
    void this.#run(key)
  }

  abortUploads() {
    for (const { run } of this.photos) run?.controller.abort()
  }

  /** Sets the photos of the saved listing. They replace the shown ones unless the member has changed these. */
  setSaved(images: readonly Photo[]) {
    const isUnchanged = isSame(this.photos, this.#saved)
    this.#saved = images.map(savedPhoto)
    if (isUnchanged) this.#show({ photos: this.#saved })
    else this.#set(this.photos.filter(({ key, file }) => file !== undefined || this.#isSaved(key)))
  }

  /** Shows the saved photos again and deletes the stored ones. */
  discard() {
    this.abortUploads()
    this.#set(this.#saved)
    this.#show({ refused: [], problem: undefined, isRestored: false })
  }

  /**
   * Waits for the uploads, saves the descriptions, and calls `save` with the ids, or with undefined if nothing has changed. If the
   * server refuses the ids, uploads the photos again and calls `save` once more. Deletes the stored photos. Throws `PhotoNotSent`.
   */
  async submit<Result>(save: (image_ids: number[] | undefined) => Promise<Result>): Promise<Result> {
    const attempt = async () => save(isSame(this.photos, this.#saved) ? undefined : await this.#uploaded())
    return this.#submission(async () => {
      const result = await attempt().catch((error: unknown) => {
        if (!isRefusalOfPhotos(error) || !this.#forgetUploads()) throw error
        return attempt()
      })
      this.#saved = this.photos
      await this.#deleteStored(this.#saved)
      return result
    })
  }

  /** Waits for the preparation and calls `save` with the file of the photo, if there is one. Then removes the photo. */
  async submitFile<Result>(
    save: (file: File | undefined, onProgress: (share: number) => void) => Promise<Result>,
  ): Promise<Result> {
    return this.#submission(async () => {
      await this.#finish()
      const [photo] = this.photos
      if (photo === undefined) return save(undefined, () => {})
      try {
        this.#patch(photo.key, { step: 'sending', progress: 0 })
        const result = await save(photo.file, (progress) => this.#patch(photo.key, { progress }))
        this.remove(photo.key)
        await this.#deleteStored([photo])
        return result
      } finally {
        this.#patch(photo.key, { step: 'prepared' })
      }
    })
  }

  async #submission<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#submissions += 1
    try {
      return await work()
    } finally {
      this.#submissions -= 1
    }
  }

  /** Waits for all uploads, saves the descriptions, and returns the ids. */
  async #uploaded(): Promise<number[]> {
    await this.#finish()
    this.#requireMember()
    await Promise.all(this.photos.map((photo) => this.#saveDescription(photo)))
    return this.photos.flatMap(({ image }) => image?.id ?? [])
  }

  /** Waits until all photos are prepared or uploaded. */
  async #finish() {
    for (;;) {
      const next = this.photos.find((photo) => !this.#isReady(photo))
      if (next === undefined) return
      await this.#run(next.key).catch((cause: unknown) => {
        // The failure of a photo that was removed meanwhile does not matter.
        if (this.#find(next.key)) throw new PhotoNotSent({ cause })
      })
    }
  }

  #isReady(photo: ListedPhoto): boolean {
    return this.#options.uploads === false ? photo.isPrepared : isUploaded(photo)
  }

  /** Prepares and uploads a photo, unless that is running. */
  #run(key: string): Promise<void> {
    const running = this.#find(key)?.run?.done
    if (running) return running
    const controller = new AbortController()
    const isCurrent = () => this.#find(key)?.run?.controller === controller
    const patch: Patch = (change) => isCurrent() && this.#patch(key, change)
    this.#patch(key, { run: { controller } })
    const done = this.#prepareAndUpload(key, controller.signal, patch).finally(() =>
      patch({ run: undefined }),
    )
    patch({ run: { controller, done } })
    // The photo shows the failure.
    done.catch(() => undefined)
    return done
  }

  async #prepareAndUpload(key: string, signal: AbortSignal, patch: Patch) {
    const onProgress = (progress: number) => patch({ progress })
    const { file: original, isPrepared } = this.#find(key) ?? {}
    if (original !== undefined && !isPrepared) {
      const prepare = () => prepareImage(original, { signal, onProgress })
      const { file, warning } = await this.#preparations(prepare)
      this.#storeFile(key, file)
      patch({ file, warning, isPrepared: true, step: 'prepared' })
    }
    const { file } = this.#find(key) ?? {}
    if (file === undefined || this.#options.uploads === false) return
    try {
      patch({ step: 'sending', progress: 0, problem: undefined })
      const image = await uploadPhoto(this.#options.client, {
        file,
        signal,
        onProgress,
        onWaiting: (waits) => patch({ step: waits ? 'waiting' : 'sending' }),
        requireMember: () => this.#requireMember(),
      })
      const { warning } = this.#find(key) ?? {}
      // The server has read what this browser could not.
      const isSolved = warning === 'failed'
      patch({ image, uploadedAt: Date.now(), step: 'sent', ...(isSolved && { warning: undefined }) })
    } catch (failure) {
      if (signal.aborted) patch({ step: 'prepared' })
      else patch({ step: 'failed', problem: errorText(failure, uploadFailed()) })
      throw failure
    }
  }

  async #saveDescription({ key, alt, image }: ListedPhoto) {
    if (image === undefined || alt.trim() === (image.alt ?? '')) return
    const input = { params: { id: image.id }, body: { alt: alt.trim() || null } }
    this.#patch(key, { image: await call(this.#options.client, changeImage, input) })
  }

  /** Makes the uploaded photos be uploaded again. Returns whether there are any. */
  #forgetUploads(): boolean {
    const uploaded = this.photos.filter(({ file, image }) => file !== undefined && image !== undefined)
    for (const { key } of uploaded) this.#patch(key, { image: undefined, step: 'prepared' })
    return uploaded.length > 0
  }

  /** Throws if another member has logged in meanwhile. */
  #requireMember() {
    if (this.#options.login.get()?.user.id !== this.#member) throw new PhotoNotSent()
  }

  /** Shows the stored photos, without those that are being posted. */
  async #restore() {
    const stored = await this.#drafts.read()
    const { isPosting = () => false } = this.#options
    const photos = stored
      ?.filter(({ key, file }) => !isPosting(key) && (file !== undefined || this.#isSaved(key)))
      .map(restoredPhoto)
    if (this.#opening && photos && !isSame(photos, this.#saved)) this.#show({ photos, isRestored: true })
  }

  async #deleteStored(photos: readonly ListedPhoto[]) {
    const deleted = new Set(photos.map(({ key }) => key))
    const others = (await this.#drafts.read())?.filter(({ key }) => !deleted.has(key)) ?? []
    await this.#drafts.write(others.length === 0 ? undefined : others.map(toStored))
  }

  #isSaved(key: string): boolean {
    return this.#saved.some((photo) => photo.key === key)
  }

  #find(key: string): ListedPhoto | undefined {
    return this.photos.find((photo) => photo.key === key)
  }

  #show(change: Partial<PhotoListState>) {
    this.#state.set((before) => ({ ...before, ...change }))
  }

  #patch(key: string, change: Partial<ListedPhoto>) {
    this.#set(this.photos.map((photo) => (photo.key === key ? { ...photo, ...change } : photo)))
  }

  /** Shows the photos and stores what has changed. */
  #set(photos: readonly ListedPhoto[]) {
    const before = JSON.stringify(this.photos.map(toStored))
    this.#show({ photos })
    if (this.#opening === undefined || JSON.stringify(photos.map(toStored)) === before) return
    void this.#drafts.write(isSame(photos, this.#saved) ? undefined : photos.map(toStored))
  }

  #storeFile(key: string, file: File | undefined) {
    if (this.#opening && file) void this.#drafts.writeFile(key, file)
  }
}

/** Changes the photo of a run, unless a later run has begun. */
type Patch = (change: Partial<ListedPhoto>) => void

function isRefusalOfPhotos(error: unknown): boolean {
  return hasCode(error, 'photos_not_usable')
}
