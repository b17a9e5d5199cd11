import { open } from 'node:fs/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import Tinypool from 'tinypool'
import { image } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { AppError } from '#server/platform/errors.ts'
import type { EncodeResult, ImageTask } from './decoder-process.ts'
import { headLength, type ImageKind, imageKind } from './image-kind.ts'
import { notAnImage, tooLarge } from './refusals.ts'
import type { EncodedImage, Purpose } from './renditions.ts'

/** The key of the fair queue: a member's id or another name. */
export type Requester = number | string

/** Decodes and encodes images in child processes. A process that takes too long or crashes is replaced. */
export interface DecoderPool {
  /**
   * Decodes, checks and re-encodes the file at this path. Throws `too_large` for more than 10 MB or 40 megapixels,
   * `unsupported_type` if it can't be decoded in time, `unavailable` if too many images wait or no process starts in time.
   */
  encode(file: string, purpose: Purpose, requester: Requester): Promise<EncodedImage>
  /** Converts one of our own WebP renditions. */
  toJpeg(webp: Uint8Array): Promise<Uint8Array>
  stop(): Promise<void>
}

export interface DecoderPoolOptions {
  /** The maximum number of decoding processes. */
  concurrency?: number
  /** The maximum numbers of images that wait for a process, of all requesters and of one. */
  maxWaiting?: number
  maxWaitingPerRequester?: number
  /** The timeout of an image and of the start of a process. */
  timeoutMs?: number
}

/** Idle processes end after this time and start again for the next image. */
const idleTimeoutMs = 30_000

export function createDecoderPool({
  concurrency = 2,
  maxWaiting = 100,
  maxWaitingPerRequester = 20,
  timeoutMs = 10_000,
}: DecoderPoolOptions = {}): DecoderPool {
  const processes = createProcesses(concurrency)
  const all = pLimit(concurrency)
  // HEIC and AVIF need half a gigabyte for 40 megapixels.
  const heif = pLimit(1)
  const runFairly = fairQueue({ max: concurrency + maxWaiting, maxPerRequester: maxWaitingPerRequester })

  async function run<Result>(name: string, task: unknown): Promise<Result> {
    const timeout = () => ({ signal: AbortSignal.timeout(timeoutMs) })
    try {
      // Waits for the start of a process, so that it does not count towards the timeout of the image.
      await processes.run({}, { name: 'ready', ...timeout() }).catch(unavailableIfKilled)
      return await processes.run(task, { name, ...timeout() })
    } catch (error) {
      if (error instanceof Error) throw error
      // An error thrown in the process arrives as a plain object.
      throw new Error(`An image process failed at ${name}`, { cause: error })
    }
  }

  return {
    async encode(file, purpose, requester) {
      const result = await runFairly(requester, async () => {
        const task: ImageTask = { file, kind: await kindOf(file), purpose }
        const work = () => all(() => run<EncodeResult>('encode', task).catch(notAnImageIfKilled))
        return task.kind === 'heif' ? heif(work) : work()
      })
      if ('refused' in result) throw new AppError(result.refused.code, result.refused.detail)
      return result.image
    },

    toJpeg: (webp) => runFairly('to-jpeg', () => all(() => run<Uint8Array>('toJpeg', webp))),

    stop: () => processes.destroy(),
  }
}

function createProcesses(concurrency: number): Tinypool {
  const processes = new Tinypool({
    runtime: 'child_process',
    filename: new URL('./decoder-process.ts', import.meta.url).href,
    serialization: 'advanced',
    minThreads: 0,
    maxThreads: concurrency,
    idleTimeout: idleTimeoutMs,
    execArgv: ['--max-old-space-size=128'],
    env: { MALLOC_ARENA_MAX: '2' },
  })
  // Emitted when an idle process ends. The next image starts another one.
  processes.on('error', () => {})
  return processes
}

/** Decodes one image of each requester at a time, so that one requester can't delay the others. Throws `unavailable` when too many wait. */
function fairQueue({ max, maxPerRequester }: { max: number; maxPerRequester: number }) {
  const requesters = new Map<Requester, { limit: LimitFunction; images: number }>()
  let images = 0
  return async <Result>(requester: Requester, work: () => Promise<Result>): Promise<Result> => {
    const own = requesters.get(requester) ?? { limit: pLimit(1), images: 0 }
    if (images >= max || own.images > maxPerRequester) throw unavailable()
    requesters.set(requester, own)
    own.images += 1
    images += 1
    try {
      return await own.limit(work)
    } finally {
      own.images -= 1
      images -= 1
      if (own.images === 0) requesters.delete(requester)
    }
  }
}

/** Treats an image as unreadable if its process crashed or was killed after the timeout. */
function notAnImageIfKilled(error: Error): never {
  if (isKilled(error)) return notAnImage(error)
  throw error
}

/** Lets the image be sent again if the process crashed or was killed before it read the image. */
function unavailableIfKilled(error: Error): never {
  throw isKilled(error) ? unavailable(error) : error
}

function isKilled({ name, message }: Error): boolean {
  return name === 'AbortError' || message === 'Worker exited unexpectedly'
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', errorMessages.unavailable, { retryAfter: 10, cause })
}

async function kindOf(file: string): Promise<ImageKind> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > image.accepted.maxBytes) return tooLarge()
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0)
  return imageKind(buffer.subarray(0, bytesRead)) ?? notAnImage()
}
