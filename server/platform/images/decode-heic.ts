import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { image } from '#contract/constants.ts'
import type { Pixels } from './pixels.ts'

interface Limits {
  pixels: number
  /** The decoder's memory in bytes. 40 megapixels take some 320 MB of it. */
  memory: number
  milliseconds: number
}

/** What the thread is told. `page` says which of the file's images is meant. */
export interface HeicJob {
  file: string
  page: number
  limits: Limits
}

const usual: Limits = { pixels: image.accepted.maxPixels, memory: 768 * 1024 ** 2, milliseconds: 30_000 }

// The decoder holds the whole picture several times over: 40 megapixels take half a gigabyte.
const oneAtATime = pLimit(1)

/**
 * Decodes a HEIC photo, which libheif turns upright by itself. It runs as WebAssembly in a thread of its own: the
 * server goes on answering meanwhile, and whatever a hostile file does to the decoder ends with the thread.
 */
export function decodeHeic(file: string, page: number, limits: Partial<Limits> = {}): Promise<Pixels> {
  return oneAtATime(decodeInThread, { file, page, limits: { ...usual, ...limits } })
}

async function decodeInThread(job: HeicJob): Promise<Pixels> {
  await using worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const [pixels] = await once(worker, 'message', { signal: AbortSignal.timeout(job.limits.milliseconds) })
  return pixels
}
