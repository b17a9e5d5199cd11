import { t } from '@lingui/core/macro'
import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { type Photo, uploadImage } from '#contract/images.ts'
import { ApiError, isOffline } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { rejectOnAbort } from '#web/api/reject-on-abort.ts'

export const uploadFailed = () => t`Failed to upload image`

const maxServerFailures = 2
const maxRetryDelayMs = 5000

interface Upload {
  readonly file: File
  readonly signal: AbortSignal
  readonly onProgress: (progress: number) => void
  /** Receives whether it waits for a connection. */
  readonly onWaiting: (waits: boolean) => void
  /** Runs before each attempt. Throws if another member has logged in. */
  readonly requireMember: () => void
}

/**
 * Uploads a photo after those that are being uploaded. Waits for a connection, and tries again when one is lost. Throws the
 * server's refusal, or the signal's reason.
 */
export async function uploadPhoto(
  client: QueryClient,
  { file, signal, onProgress, onWaiting, requireMember }: Upload,
): Promise<Photo> {
  const upload = new MutationObserver(client, {
    scope: { id: 'upload-photo' },
    networkMode: 'online',
    retry: (failures, error) => isOffline(error) || (failures < maxServerFailures && isServerFailure(error)),
    retryDelay: (failures, error) => retryAfterMs(error) ?? Math.min(1000 * 2 ** failures, maxRetryDelayMs),
    mutationFn: () => {
      requireMember()
      return call(client, uploadImage, { body: {}, file }, { signal, onProgress })
    },
  })
  const unsubscribe = upload.subscribe(({ isPending, failureReason, isPaused }) => {
    if (isPending) onWaiting(isOffline(failureReason) || (isPaused && !navigator.onLine))
  })
  try {
    // A paused upload does not notice that it was aborted.
    return await Promise.race([upload.mutate(), rejectOnAbort(signal)])
  } finally {
    unsubscribe()
  }
}

/** Returns how long a busy server asks to wait. */
function retryAfterMs(error: unknown): number | undefined {
  const seconds = error instanceof ApiError ? error.retryAfter : undefined
  return seconds === undefined ? undefined : seconds * 1000
}

function isServerFailure(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status >= 500
}
