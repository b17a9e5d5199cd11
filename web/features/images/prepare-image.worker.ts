import { encodeToFit, fittingSize, paint } from './fit-image.ts'

export type WorkerReport =
  | { kind: 'progress'; done: number }
  | { kind: 'prepared'; blob: Blob }
  | { kind: 'too-large' }
  | { kind: 'failed' }

addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  try {
    report(await prepare(data))
  } catch {
    report({ kind: 'failed' })
  }
})

async function prepare(original: Blob): Promise<WorkerReport> {
  // createImageBitmap turns the picture upright by its EXIF orientation.
  const bitmap = await createImageBitmap(original)
  report({ kind: 'progress', done: 0.4 })
  const size = fittingSize(bitmap)
  const canvas = new OffscreenCanvas(size.width, size.height)
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) return { kind: 'failed' }
  paint(context, bitmap, size)
  bitmap.close()
  report({ kind: 'progress', done: 0.6 })

  const blob = await encodeToFit(
    (quality) => canvas.convertToBlob({ type: 'image/jpeg', quality }),
    (done) => report({ kind: 'progress', done: 0.6 + 0.4 * done }),
  )
  return blob ? { kind: 'prepared', blob } : { kind: 'too-large' }
}

function report(message: WorkerReport) {
  postMessage(message)
}
