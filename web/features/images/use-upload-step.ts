import { type MutationState, useMutationState } from '@tanstack/react-query'
import { errorText, isOffline } from '#web/api/api-error.ts'
import { isUploaded, type ListedPhoto } from './photo-state.ts'
import { uploadFailed, uploadKey, uploadsKey } from './upload-photo.ts'

export type UploadStep =
  | { name: 'preparing' | 'sending' | 'waiting' | 'ready' }
  | { name: 'failed'; problem: string }

/** Returns the state of a photo's preparation and upload. */
export function useUploadStep(photo: ListedPhoto): UploadStep {
  const upload = useMutationState({ filters: { mutationKey: uploadKey(photo.key) } }).at(-1)
  if (upload?.status === 'pending') return { name: isWaiting(upload) ? 'waiting' : 'sending' }
  if (isUploaded(photo)) return { name: 'ready' }
  if (!photo.isPrepared) return { name: 'preparing' }
  if (upload?.status === 'error') return { name: 'failed', problem: errorText(upload.error, uploadFailed) }
  return { name: 'sending' }
}

/** Returns whether one of the photos waits for a connection. */
export function useUploadsWait(photos: readonly ListedPhoto[]): boolean {
  const uploads = useMutationState({
    filters: { mutationKey: uploadsKey },
    select: ({ options: { mutationKey }, state }) => ({
      key: mutationKey?.at(-1),
      isWaiting: isWaiting(state),
    }),
  })
  return photos.some(({ key }) => uploads.findLast((upload) => upload.key === key)?.isWaiting)
}

type Upload = Pick<MutationState<unknown, unknown>, 'status' | 'failureReason' | 'isPaused'>

function isWaiting({ status, failureReason, isPaused }: Upload): boolean {
  return status === 'pending' && (isOffline(failureReason) || (isPaused && !navigator.onLine))
}
