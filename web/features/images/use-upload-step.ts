import { useMutationState } from '@tanstack/react-query'
import { errorText, isOffline } from '#web/api/api-error.ts'
import { isUploaded, type ListedPhoto } from './photo-state.ts'
import { uploadFailed, uploadKey } from './upload-photo.ts'

export type UploadStep =
  | { name: 'preparing' | 'sending' | 'waiting' | 'ready' }
  | { name: 'failed'; problem: string }

/** Returns the state of a photo's preparation and upload. */
export function useUploadStep(photo: ListedPhoto): UploadStep {
  const upload = useMutationState({ filters: { mutationKey: uploadKey(photo.key) } }).at(-1)
  if (upload?.status === 'pending') {
    const isWaiting = isOffline(upload.failureReason) || (upload.isPaused && !navigator.onLine)
    return { name: isWaiting ? 'waiting' : 'sending' }
  }
  if (isUploaded(photo)) return { name: 'ready' }
  if (!photo.isPrepared) return { name: 'preparing' }
  if (upload?.status === 'error') return { name: 'failed', problem: errorText(upload.error, uploadFailed) }
  return { name: 'sending' }
}
