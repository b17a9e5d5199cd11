import sharp from 'sharp'
import { AppError, type ErrorCode } from '#server/platform/errors.ts'
import { decode } from './decode.ts'
import type { ImageKind } from './image-kind.ts'
import { type EncodedImage, encodeRenditions, type Purpose, sizes } from './renditions.ts'

export interface ImageTask {
  file: string
  kind: ImageKind
  purpose: Purpose
}

/** `AppError` can not be sent between processes, so a refusal is a value. */
export type EncodeResult = { image: EncodedImage } | { refused: { code: ErrorCode; detail: string } }

/** More than any accepted image needs. A process that uses more kills itself. */
const maxMemoryBytes = 1024 ** 3
const memoryCheckMs = 50

// One thread per image and no cache limit the memory of a process.
sharp.concurrency(1)
sharp.cache(false)

// `process.exit` would wait for libvips' threads.
const killSelf = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', killSelf)

export function ready(): void {}

export async function encode({ file, kind, purpose }: ImageTask): Promise<EncodeResult> {
  const guard = setInterval(() => {
    if (process.memoryUsage.rss() > maxMemoryBytes) killSelf()
  }, memoryCheckMs)
  try {
    return { image: await encodeRenditions(await decode(file, kind, sizes[purpose]), purpose) }
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, detail: error.message } }
    throw error
  } finally {
    clearInterval(guard)
  }
}

export function toJpeg(webp: Uint8Array): Promise<Uint8Array> {
  return sharp(webp).jpeg({ quality: 80, mozjpeg: true }).toBuffer()
}
