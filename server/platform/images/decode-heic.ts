import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Pixels } from './pixels.ts'

export interface HeicJob {
  file: string
  /** Which of the images in the file. */
  page: number
  maxPixels: number
  maxMemory: number
}

/**
 * Decodes a HEIC photo, which libheif turns upright by itself. It runs as WebAssembly in a thread of its own: the
 * server goes on answering meanwhile, and whatever a hostile file does to the decoder ends with the thread.
 */
export async function decodeHeic(file: string, page: number, maxPixels: number): Promise<Pixels> {
  const job: HeicJob = { file, page, maxPixels, maxMemory: 1024 ** 3 }
  await using worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const [pixels] = await once(worker, 'message', { signal: AbortSignal.timeout(20_000) })
  return pixels
}
