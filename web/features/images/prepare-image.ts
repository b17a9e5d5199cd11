import { t } from '@lingui/core/macro'
import { image } from '#contract/constants.ts'
import { scriptUrl } from '#web/api/trusted.ts'
import { encodeToFit, fittingSize, paint } from './fit-image.ts'
import type { WorkerReport } from './prepare-image.worker.ts'
import workerPath from './prepare-image.worker.ts?worker&url'

const preparedMegabytes = image.prepared.maxBytes / 1024 / 1024

/** Why a photo was not prepared: it is stored with the photo, and `warningText` shows it. */
export const warnings = ['too_large', 'failed'] as const
export type Warning = (typeof warnings)[number]

export function warningText(warning: Warning): string {
  if (warning === 'failed') return t`Image processing failed.`
  return t`Couldn't compress below ${preparedMegabytes} MB; please choose a smaller image.`
}

interface PreparedImage {
  file: File
  /** The reason why `file` is the original. */
  warning?: Warning
}

interface Options {
  /** Receives the progress from 0 to 1. */
  onProgress?: (done: number) => void
  signal?: AbortSignal
}

/**
 * Converts a photo for the upload: upright, no side above 1920 pixels, a JPEG of at most 3 MB, without metadata.
 * Returns the original with a warning if that fails. Throws only if the signal aborts.
 */
export async function prepareImage(
  original: File,
  { onProgress, signal }: Options = {},
): Promise<PreparedImage> {
  signal?.throwIfAborted()
  onProgress?.(0)
  const result = await prepareInWorker(original, onProgress, signal).catch(() => {
    signal?.throwIfAborted()
    return prepareInPage(original, onProgress)
  })
  signal?.throwIfAborted()
  onProgress?.(1)
  return result
}

/** Prepares the photo in a worker, so that the page stays responsive. Rejects if the worker can not decode or encode it. */
async function prepareInWorker(original: File, onProgress: Options['onProgress'], signal: Options['signal']) {
  const worker = new Worker(scriptUrl(workerPath), { type: 'module' })
  try {
    return await new Promise<PreparedImage>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.addEventListener('error', () => reject(new Error('The image worker failed')))
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerReport>) => {
        if (data.kind === 'progress') onProgress?.(data.done)
        else if (data.kind === 'failed') reject(new Error('The image worker can not read this image'))
        else resolve(toPreparedImage(original, data.kind === 'prepared' ? data.blob : undefined))
      })
      worker.postMessage(original)
    })
  } finally {
    worker.terminate()
  }
}

/** Prepares the photo on the page. An `<img>` turns it upright and decodes every format that the browser can display. */
async function prepareInPage(original: File, onProgress: Options['onProgress']): Promise<PreparedImage> {
  const url = URL.createObjectURL(original)
  try {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    const size = fittingSize({ width: picture.naturalWidth, height: picture.naturalHeight })
    const canvas = Object.assign(document.createElement('canvas'), size)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return { file: original, warning: 'failed' }
    paint(context, picture, size)

    return toPreparedImage(
      original,
      await encodeToFit(
        (quality) => toJpeg(canvas, quality),
        (done) => onProgress?.(0.6 + 0.4 * done),
      ),
    )
  } catch {
    return { file: original, warning: 'failed' }
  } finally {
    URL.revokeObjectURL(url)
  }
}

function toJpeg(canvas: HTMLCanvasElement, quality: number) {
  return new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No JPEG'))), 'image/jpeg', quality)
  })
}

function toPreparedImage(original: File, prepared: Blob | undefined): PreparedImage {
  if (!prepared) return { file: original, warning: 'too_large' }
  const name = original.name.replace(/\.[^.]*$/, '') || 'photo'
  return { file: new File([prepared], `${name}.jpg`, { type: 'image/jpeg' }) }
}
