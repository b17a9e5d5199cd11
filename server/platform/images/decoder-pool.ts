import { open } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import Tinypool from 'tinypool'
import { image } from '#contract/constants.ts'
import { AppError } from '#server/platform/errors.ts'
import { createQueue, overloaded } from '#server/platform/queue.ts'
import type { EncodeResult, ImageTask } from './decoder-process.ts'
import { headLength, type ImageKind, imageKind } from './image-kind.ts'
import { notAnImage, tooLarge, tooSlow } from './refusals.ts'
import type { EncodedImage, Purpose } from './renditions.ts'

/** Whose turn it is: a member's id or another name. */
export type Requester = number | string

/** Decodes and encodes images in child processes. A process that takes too long or crashes is replaced. */
export interface DecoderPool {
  /**
   * Decodes, checks and re-encodes the file at this path. An aborted signal removes it from the queue or kills its process. Throws
   * `too_large` for more than 10 MB or 40 megapixels or if decoding takes too long, `unsupported_type` if it can't be decoded,
   * `unavailable` if too many images wait, it has waited too long or no process starts in time, and the signal's reason.
   */
  encode(
    file: string,
    purpose: Purpose,
    requester: Requester,
    signal?: AbortSignal | undefined,
  ): Promise<EncodedImage>
  /** Converts one of our own WebP renditions. */
  toJpeg(webp: Uint8Array): Promise<Uint8Array>
  stop(): Promise<void>
}

export interface DecoderPoolOptions {
  /** The maximum number of processes for JPEG, PNG and WebP. AVIF and HEIC have one more each. */
  concurrency?: number
  /** The maximum number of images that wait for such a process. */
  maxWaiting?: number
  /** The timeout of an image and of the start of a process. */
  timeoutMs?: number
  /** Called after each image that members have sent, also if it was refused. */
  onDecoded?: (requester: Requester, seconds: number) => void
}

/** Idle processes end after this time and start again for the next image. */
const idleTimeoutMs = 30_000
const maxWaitMs = 15_000

export function createDecoderPool({
  concurrency = 2,
  maxWaiting = 100,
  timeoutMs = 10_000,
  onDecoded = () => {},
}: DecoderPoolOptions = {}): DecoderPool {
  const processes = createProcesses(concurrency + 2)
  const limits = { maxWaiting, maxWaitMs }
  const fast = createQueue({ concurrency, ...limits })
  // HEIC and AVIF take seconds and half a gigabyte for 40 megapixels. Nothing but their own kind waits for them.
  const slow = {
    heic: createQueue({ concurrency: 1, ...limits }),
    avif: createQueue({ concurrency: 1, ...limits }),
  }
  const turns = createTurns()
  let isStopped = false

  async function callProcess<Result>(name: string, task: unknown, left?: AbortSignal): Promise<Result> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(left ? [left] : [])])
    try {
      return await processes.run(task, { name, signal })
    } catch (error) {
      left?.throwIfAborted()
      if (isStopped) throw overloaded(error)
      // An error thrown in the process arrives as a plain object. An `Error` is the pool's own, about a process that has ended.
      if (error instanceof Error) throw new ProcessEnded(signal.aborted, error)
      throw new Error(`An image process failed at ${name}`, { cause: error })
    }
  }

  async function run<Result>(name: string, task: unknown, left?: AbortSignal): Promise<Result> {
    // Waits for the start of a process, so that it does not count towards the timeout of the image.
    await callProcess('ready', {}, left).catch(unavailableIfEnded)
    return callProcess(name, task, left)
  }

  return {
    async encode(file, purpose, requester, signal) {
      const turn = turns.begin(requester)
      try {
        const task: ImageTask = { file, kind: await kindOf(file), purpose }
        const queue = task.kind === 'heic' || task.kind === 'avif' ? slow[task.kind] : fast
        const result = await queue(
          () => turn.time(() => run<EncodeResult>('encode', task, signal).catch(refuseIfEnded)),
          { signal, priority: turn.priority },
        )
        if ('refused' in result) throw new AppError(result.refused.code, result.refused.detail)
        return result.image
      } finally {
        onDecoded(requester, turn.end())
      }
    },

    toJpeg: (webp) => fast(() => run<Uint8Array>('toJpeg', webp)),

    async stop() {
      isStopped = true
      await processes.destroy()
    },
  }
}

function createProcesses(maxThreads: number): Tinypool {
  const processes = new Tinypool({
    runtime: 'child_process',
    filename: new URL('./decoder-process.ts', import.meta.url).href,
    serialization: 'advanced',
    minThreads: 0,
    maxThreads,
    idleTimeout: idleTimeoutMs,
    execArgv: ['--max-old-space-size=128'],
    env: { MALLOC_ARENA_MAX: '2' },
  })
  // Emitted when an idle process ends. The next image starts another one.
  processes.on('error', () => {})
  return processes
}

/** The seconds that an image counts until it is decoded. */
const estimatedSeconds = 1

/**
 * Gives images priorities: those of the requester who has used the least decoding time start first ("least attained service"). Time
 * is forgotten ten minutes after the requester's last image.
 */
function createTurns() {
  const used = new LRUCache<Requester, number>({ max: 10_000, ttl: 10 * 60_000 })
  const add = (requester: Requester, seconds: number) =>
    used.set(requester, (used.get(requester) ?? 0) + seconds)
  return {
    begin(requester: Requester) {
      const priority = -(used.get(requester) ?? 0)
      let seconds = 0
      add(requester, estimatedSeconds)
      return {
        priority,
        async time<Result>(work: () => Promise<Result>): Promise<Result> {
          const start = performance.now()
          try {
            return await work()
          } finally {
            seconds = (performance.now() - start) / 1000
          }
        },
        /** Returns the seconds that were used. */
        end(): number {
          add(requester, seconds - estimatedSeconds)
          return seconds
        },
      }
    },
  }
}

/** The error of a task whose process crashed, or was killed after the timeout. */
class ProcessEnded extends Error {
  readonly isTimeout: boolean

  constructor(isTimeout: boolean, cause: Error) {
    super('An image process has ended', { cause })
    this.isTimeout = isTimeout
  }
}

/** Refuses an image whose process has ended. */
function refuseIfEnded(error: Error): never {
  if (!(error instanceof ProcessEnded)) throw error
  return error.isTimeout ? tooSlow(error) : notAnImage(error)
}

/** Lets the image be sent again if the process ended before it read the image. */
function unavailableIfEnded(error: Error): never {
  throw error instanceof ProcessEnded ? overloaded(error) : error
}

async function kindOf(file: string): Promise<ImageKind> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > image.accepted.maxBytes) return tooLarge()
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0)
  return imageKind(buffer.subarray(0, bytesRead)) ?? notAnImage()
}
