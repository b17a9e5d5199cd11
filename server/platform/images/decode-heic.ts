import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { image } from '#contract/constants.ts'
import type { Pixels } from './pixels.ts'

interface Limits {
  pixels: number
  /** The decoder's memory in bytes. 40 megapixels take some 320 MB of it. */
  memory: number
}

/** The thread's input. `page` is the index of the image in the file. */
export interface HeicJob {
  file: string
  page: number
  limits: Limits
}

const usual: Limits = { pixels: image.accepted.maxPixels, memory: 768 * 1024 ** 2 }

/**
 * Decodes a HEIC photo, which libheif turns upright by itself. It runs as WebAssembly, whose memory is never given back,
 * so in a thread: it ends after the photo, and has a memory limit.
 */
export async function decodeHeic(file: string, page: number, limits: Partial<Limits> = {}): Promise<Pixels> {
  const job: HeicJob = { file, page, limits: { ...usual, ...limits } }
  await using worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const [pixels] = await once(worker, 'message')
  return pixels
}
