import { createAtom } from '@tanstack/react-store'
import { v4 as newUuid } from 'uuid'
import type { Photo } from '#contract/images.ts'
import { maxUploadAgeMs, type PhotoDrafts, type StoredPhoto } from './photo-drafts.ts'

export interface ListedPhoto extends StoredPhoto {
  /** Undefined for a photo that the listing has already. */
  readonly file: File | undefined
  /** The progress of the preparation or the upload, from 0 to 1. */
  readonly progress: number
}

export interface PhotoListState {
  readonly photos: readonly ListedPhoto[]
  /** The reason why the last chosen files were not added. */
  readonly problem: string | undefined
  /** True if the photos come from a stored draft. */
  readonly isRestored: boolean
}

export type PhotoState = ReturnType<typeof createPhotoState>

/** Holds the photos of a form, and stores those that differ from the saved ones while the form is open. */
export function createPhotoState(drafts: PhotoDrafts, images: readonly Photo[]) {
  let saved: readonly ListedPhoto[] = images.map(savedPhoto)
  let isOpen = false
  const state = createAtom<PhotoListState>({ photos: saved, problem: undefined, isRestored: false })
  const get = () => state.get().photos
  const hasChanged = () => !isSame(get(), saved)
  const isSaved = (key: string) => saved.some((photo) => photo.key === key)

  function show(change: Partial<PhotoListState>) {
    state.set((before) => ({ ...before, ...change }))
  }

  /** Shows the changed photos and stores them. */
  function set(photos: readonly ListedPhoto[]) {
    show({ photos })
    if (isOpen) void drafts.write(hasChanged() ? photos.map(toStored) : undefined)
  }

  return {
    state,
    get,
    find: (key: string) => get().find((photo) => photo.key === key),
    show,
    set,
    patch: (key: string, change: Partial<ListedPhoto>) => set(changePhoto(get(), key, change)),
    showProgress: (key: string, progress: number) => show({ photos: changePhoto(get(), key, { progress }) }),
    hasChanged,
    storeFile: (key: string, file: File) => void (isOpen && drafts.writeFile(key, file)),
    setOpen(open: boolean) {
      isOpen = open
    },
    /** Sets the photos of the saved listing. They replace the shown ones unless the member has changed these. */
    setSaved(listed: readonly Photo[]) {
      const isUnchanged = !hasChanged()
      saved = listed.map(savedPhoto)
      if (isUnchanged) show({ photos: saved })
      else set(get().filter(({ key, file }) => file !== undefined || isSaved(key)))
    },
    /** Shows the stored photos, without those that are being posted. */
    async restore(posting: ReadonlySet<string | null>) {
      const stored = await drafts.read()
      const restored = stored
        ?.filter(({ key, file }) => !posting.has(key) && (file !== undefined || isSaved(key)))
        .map((photo) => ({ ...photo, progress: 0 }))
      if (isOpen && restored !== undefined && !isSame(restored, saved))
        show({ photos: restored, isRestored: true })
    },
    discard() {
      set(saved)
      show({ problem: undefined, isRestored: false })
    },
    /** Makes the shown photos the saved ones, and deletes them from the draft. */
    async markSaved() {
      saved = get()
      await deleteStored(drafts, saved)
    },
  }
}

async function deleteStored(drafts: PhotoDrafts, photos: readonly ListedPhoto[]) {
  const deleted = new Set(photos.map(({ key }) => key))
  const others = (await drafts.read())?.filter(({ key }) => !deleted.has(key)) ?? []
  await drafts.write(others.length === 0 ? undefined : others.map(toStored))
}

/** Returns whether the server has the photo, and will keep it until the form is submitted. */
export function isUploaded({ file, image, uploadedAt = 0 }: ListedPhoto): boolean {
  return image !== undefined && (file === undefined || uploadedAt > Date.now() - maxUploadAgeMs)
}

export function newPhoto(file: File): ListedPhoto & { readonly file: File } {
  return { ...emptyPhoto, key: newUuid(), file }
}

function savedPhoto(image: Photo): ListedPhoto {
  return { ...emptyPhoto, key: `saved-${image.id}`, alt: image.alt ?? '', isPrepared: true, image }
}

const emptyPhoto = {
  file: undefined,
  alt: '',
  isPrepared: false,
  warning: undefined,
  image: undefined,
  uploadedAt: undefined,
  progress: 0,
} as const

function toStored({ key, alt, isPrepared, warning, image, uploadedAt }: StoredPhoto): StoredPhoto {
  return { key, alt, isPrepared, warning, image, uploadedAt }
}

function changePhoto(photos: readonly ListedPhoto[], key: string, change: Partial<ListedPhoto>) {
  return photos.map((photo) => (photo.key === key ? { ...photo, ...change } : photo))
}

/** Returns whether the lists have the same photos with the same descriptions in the same order. */
function isSame(some: readonly ListedPhoto[], others: readonly ListedPhoto[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ key, alt }, index) => key === others[index]?.key && alt === others[index].alt)
  )
}
