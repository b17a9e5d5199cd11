import { image, limits } from '#contract/constants.ts'
import { imageMessages } from '#contract/images.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Uploads } from '#server/platform/http/upload.ts'
import type { Requester } from '#server/platform/images/decoder-pool.ts'
import { overloaded } from '#server/platform/queue.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'

const { uploadsPerDay, uploadedMegabytesPerDay, decodingSecondsPerDay, uploadsAtATime } = limits.photos

/** The maximum number of uploads of a node at a time, because each has a file on the disk until it is answered. */
const maxUploads = 100
/** A body without a length counts as the largest one with four files, of which all but one are dropped. */
const unknownBytes = 4 * image.accepted.maxBytes

/** Limits the uploads of each member: files, bytes and decoding time a day over all nodes, and how many there are at a time on this node. */
export interface UploadLimits extends Uploads {
  /** Counts the time that an image has taken. */
  countDecoding(requester: Requester, seconds: number): void
}

export function createUploadLimits(rateLimits: RateLimits): UploadLimits {
  const files = rateLimits('photos', { attempts: uploadsPerDay, limited: imageMessages.tooManyPerDay })
  const kilobytes = rateLimits('photo kilobytes', {
    attempts: uploadedMegabytesPerDay * 1024,
    limited: imageMessages.tooManyMegabytesPerDay,
  })
  const milliseconds = rateLimits('photo decoding', {
    attempts: decodingSecondsPerDay * 1000,
    limited: imageMessages.tooMuchDecodingPerDay,
  })
  const current = new Map<number, number>()
  let all = 0

  function begin(member: number): () => void {
    const own = current.get(member) ?? 0
    if (own >= uploadsAtATime) throw new AppError('too_many', imageMessages.tooManyAtATime, { retryAfter: 1 })
    if (all >= maxUploads) throw overloaded()
    current.set(member, own + 1)
    all += 1
    return () => {
      const left = (current.get(member) ?? 0) - 1
      if (left > 0) current.set(member, left)
      else current.delete(member)
      all -= 1
    }
  }

  return {
    async admit(member, bytes = unknownBytes) {
      const end = begin(member)
      try {
        const key = String(member)
        await milliseconds.attempt(key, 0)
        await kilobytes.attempt(key, Math.ceil(bytes / 1024))
        await files.attempt(key)
        return end
      } catch (error) {
        end()
        throw error
      }
    },

    countDecoding(requester, seconds) {
      if (typeof requester !== 'number' || seconds === 0) return
      // The photo is answered already. If the database is away, its time is not counted.
      void milliseconds.count(String(requester), Math.ceil(seconds * 1000)).catch(() => undefined)
    },
  }
}
