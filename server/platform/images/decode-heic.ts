import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { image } from '#contract/constants.ts'
import type { Pixels } from './pixels.ts'

interface Limits {
  pixels: number
  /** The decoder's memory in bytes. 40 megapixels need about 320 MB. */
  memory: number
}

/** The thread's input. `page` is the index of the image in the file. */
export interface HeicJob {
  file: string
  page: number
  limits: Limits
}

const defaultLimits: Limits = { pixels: image.accepted.maxPixels, memory: 768 * 1024 ** 2 }

// `overrides` in package.json pins libheif-js to 1.19.8. Version 1.23.2 refuses a photo that is much larger than its clean aperture
// (https://github.com/strukturag/libheif/issues/1856). The override can go with a version that has libheif 1.23.5.
/**
 * Decodes a HEIC photo, which libheif crops to its clean aperture and rotates upright. WebAssembly never releases its memory, so it runs in a thread that ends after
 * the photo and has a memory limit.
 */
export async function decodeHeic(file: string, page: number, limits: Partial<Limits> = {}): Promise<Pixels> {
  const job: HeicJob = { file, page, limits: { ...defaultLimits, ...limits } }
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
