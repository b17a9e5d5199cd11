import { open } from 'node:fs/promises'
import sharp, { type ResizeOptions } from 'sharp'
import { image } from '#contract/constants.ts'
import { sentences } from '#contract/sentences.ts'
import { AppError } from '#server/platform/errors.ts'
import { toSrgb } from './colour-profile.ts'
import { decodeHeic } from './decode-heic.ts'
import { headLength, type ImageKind, imageKind } from './image-kind.ts'
import { fromPixels, type Pixels, toPixels } from './pixels.ts'

/** The longest that a picture may take to decode. A machine under load takes seconds for a large one. */
const usualMilliseconds = 30_000

/**
 * Reads a file into upright sRGB pixels without alpha and metadata, of the size that `frame` wants, given the
 * upright size. Whether it is worth decoding is judged by its size and header first: a bomb costs milliseconds.
 * Throws `too_large`, `unsupported_type`, or `unavailable` when it takes too long.
 */
export async function decode(
  file: string,
  frame: (upright: { width: number; height: number }) => ResizeOptions,
  milliseconds = usualMilliseconds,
): Promise<Pixels> {
  const kind = await kindOf(file)
  const header = await sharp(file, { limitInputPixels: false }).metadata().catch(notAnImage)
  if (header.format !== kind) return notAnImage()
  if (header.width * header.height * (header.pages ?? 1) > image.accepted.maxPixels) return tooLarge()

  // libvips as sharp ships it reads the header of a HEIC photo, but has no decoder for its pixels.
  const isHeic = header.compression === 'hevc'
  try {
    const whole = isHeic
      ? fromPixels(await decodeHeic(file, header.pagePrimary ?? 0, { milliseconds }))
      : sharp(file, { failOn: 'error', limitInputPixels: image.accepted.maxPixels })
    const picture = await toPixels(
      whole
        .timeout({ seconds: Math.ceil(milliseconds / 1000) })
        .autoOrient()
        .flatten({ background: 'white' })
        .resize(frame(header.autoOrient)),
    )
    return isHeic && header.icc ? await toSrgb(picture, header.icc) : picture
  } catch (error) {
    if (tookTooLong(error)) {
      throw new AppError('unavailable', sentences.unavailable, { retryAfter: 60, cause: error })
    }
    return notAnImage(error)
  }
}

/** Either the HEIC thread was aborted, or libvips stopped by its own clock. */
function tookTooLong(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.message.startsWith('timeout:'))
}

async function kindOf(file: string): Promise<ImageKind> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > image.accepted.maxBytes) return tooLarge()
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0)
  return imageKind(buffer.subarray(0, bytesRead)) ?? notAnImage()
}

function tooLarge(): never {
  throw new AppError('too_large', sentences.imageTooLarge)
}

function notAnImage(cause?: unknown): never {
  throw new AppError('unsupported_type', sentences.notAnImage, { cause })
}
