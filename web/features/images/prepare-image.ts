import { image } from '#contract/constants.ts'
import { scriptUrl } from '#web/api/trusted.ts'
import { encodeToFit, fittingSize, paint } from './fit-image.ts'
import type { FromWorker } from './prepare-image.worker.ts'
import workerPath from './prepare-image.worker.ts?worker&url'

export const preparationMessages = {
  tooLarge: `Couldn't compress below ${image.prepared.maxBytes / 1024 / 1024} MB; please choose a smaller image.`,
  failed: 'Image processing failed.',
} as const

export interface PreparedImage {
  file: File
  /** Why the original file is kept. */
  warning?: string
}

interface Options {
  /** Hears how much is done, 0 to 1. */
  onProgress?: (done: number) => void
  signal?: AbortSignal
}

/**
 * Makes a photo fit for sending: upright, no side above 1920 pixels, a JPEG of at most 3 MB, without metadata.
 * Where that can not be done the original comes back with a warning. Throws only when the signal aborts.
 */
export async function prepareImage(
  original: File,
  { onProgress, signal }: Options = {},
): Promise<PreparedImage> {
  signal?.throwIfAborted()
  onProgress?.(0)
  const result = await prepareAside(original, onProgress, signal).catch(() => {
    signal?.throwIfAborted()
    return prepareHere(original, onProgress)
  })
  signal?.throwIfAborted()
  onProgress?.(1)
  return result
}

/** In a worker, so that the page stays alive. Rejects where the worker can't do it: an older browser, an odd format. */
async function prepareAside(original: File, onProgress: Options['onProgress'], signal: Options['signal']) {
  const worker = new Worker(scriptUrl(workerPath), { type: 'module' })
  try {
    return await new Promise<PreparedImage>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.addEventListener('error', () => reject(new Error('The image worker failed')))
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'progress') onProgress?.(data.done)
        else if (data.kind === 'failed') reject(new Error('The image worker can not read this image'))
        else resolve(outcome(original, data.kind === 'prepared' ? data.blob : undefined))
      })
      worker.postMessage(original)
    })
  } finally {
    worker.terminate()
  }
}

/** The same on the page itself. An `<img>` turns the picture upright and reads what the browser can show at all. */
async function prepareHere(original: File, onProgress: Options['onProgress']): Promise<PreparedImage> {
  const url = URL.createObjectURL(original)
  try {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    const size = fittingSize({ width: picture.naturalWidth, height: picture.naturalHeight })
    const canvas = Object.assign(document.createElement('canvas'), size)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return { file: original, warning: preparationMessages.failed }
    paint(context, picture, size)

    return outcome(
      original,
      await encodeToFit(
        (quality) => toJpeg(canvas, quality),
        (done) => onProgress?.(0.6 + 0.4 * done),
      ),
    )
  } catch {
    return { file: original, warning: preparationMessages.failed }
  } finally {
    URL.revokeObjectURL(url)
  }
}

function toJpeg(canvas: HTMLCanvasElement, quality: number) {
  return new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No JPEG'))), 'image/jpeg', quality)
  })
}

function outcome(original: File, prepared: Blob | undefined): PreparedImage {
  if (!prepared) return { file: original, warning: preparationMessages.tooLarge }
  const name = original.name.replace(/\.[^.]*$/, '') || 'photo'
  return { file: new File([prepared], `${name}.jpg`, { type: 'image/jpeg' }) }
}
