import { v4 as newUuid } from 'uuid'
import type { Photo } from '#contract/images.ts'
import { maxUploadAgeMs, type StoredPhoto } from './photo-drafts.ts'

/**
 * The state of a photo. A photo that is sent with its form stays prepared until then.
 *
 *     preparing ──▶ prepared ──▶ sending ◀──▶ waiting (for a connection)
 *                                  │  ▲
 *                          refused ▼  │ “Try again”, or the form is submitted
 *                               failed   sent ──▶ prepared (the server has deleted it)
 */
export type PhotoStep = 'preparing' | 'prepared' | 'sending' | 'waiting' | 'sent' | 'failed'

export interface ListedPhoto extends StoredPhoto {
  /** Undefined for a photo that the listing has already. */
  readonly file: File | undefined
  readonly step: PhotoStep
  /** The progress of the preparation or the upload, from 0 to 1. */
  readonly progress: number
  /** The reason why it failed. */
  readonly problem?: string | undefined
  /** The running preparation and upload. */
  readonly run?: { readonly controller: AbortController; readonly done?: Promise<void> } | undefined
}

export interface RefusedFile {
  readonly key: string
  readonly name: string
}

export interface PhotoListState {
  readonly photos: readonly ListedPhoto[]
  /** The chosen files that are no pictures. They are named until they are removed, and never sent. */
  readonly refused: readonly RefusedFile[]
  /** The reason why the last chosen files were not added. */
  readonly problem: string | undefined
  /** True if the photos come from a stored draft. */
  readonly isRestored: boolean
}

/** Returns whether a photo of a list with uploads is being prepared or sent, or is about to be. */
export function isRunning(step: PhotoStep): boolean {
  return step === 'preparing' || step === 'prepared' || step === 'sending'
}

/** Returns whether the server has the photo, and will keep it until the form is submitted. */
export function isUploaded({ file, image, uploadedAt = 0 }: ListedPhoto): boolean {
  return image !== undefined && (file === undefined || uploadedAt > Date.now() - maxUploadAgeMs)
}

export function newPhoto(file: File): ListedPhoto {
  return { key: newUuid(), alt: '', isPrepared: false, file, step: 'preparing', progress: 0 }
}

export function refusedFile({ name }: File): RefusedFile {
  return { key: newUuid(), name }
}

export function savedPhoto(image: Photo): ListedPhoto {
  const key = `saved-${image.id}`
  return { key, alt: image.alt ?? '', isPrepared: true, image, file: undefined, step: 'sent', progress: 1 }
}

export function restoredPhoto(stored: StoredPhoto & Pick<ListedPhoto, 'file'>): ListedPhoto {
  const photo: ListedPhoto = { ...stored, step: stored.isPrepared ? 'prepared' : 'preparing', progress: 0 }
  return isUploaded(photo) ? { ...photo, step: 'sent' } : photo
}

export function toStored({ key, alt, isPrepared, warning, image, uploadedAt }: StoredPhoto): StoredPhoto {
  return { key, alt, isPrepared, warning, image, uploadedAt }
}

/** Returns whether the lists have the same photos with the same descriptions in the same order. */
export function isSame(some: readonly ListedPhoto[], others: readonly ListedPhoto[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ key, alt }, index) => key === others[index]?.key && alt === others[index].alt)
  )
}
