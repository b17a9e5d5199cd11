import { readFile } from 'node:fs/promises'
import sharp, { type ResizeOptions } from 'sharp'
import { image } from '#contract/constants.ts'
import { toSrgb } from './colour-profile.ts'
import { decodeHeic } from './decode-heic.ts'
import type { ImageKind } from './image-kind.ts'
import { hasTooManyPasses } from './passes.ts'
import { fromPixels, type Pixels, toPixels } from './pixels.ts'
import { notAnImage, tooLarge } from './refusals.ts'

/**
 * Reads a file into upright sRGB pixels without alpha and metadata, of the size that `frame` wants, given the
 * upright size. The header is judged before anything is decoded. Throws `too_large` and `unsupported_type`.
 */
export async function decode(
  file: string,
  kind: ImageKind,
  frame: (upright: { width: number; height: number }) => ResizeOptions,
): Promise<Pixels> {
  if (hasTooManyPasses(kind, await readFile(file))) return notAnImage()
  const header = await sharp(file, { limitInputPixels: false }).metadata().catch(notAnImage)
  if (header.format !== kind) return notAnImage()
  if (header.width * header.height * (header.pages ?? 1) > image.accepted.maxPixels) return tooLarge()

  // libvips as sharp ships it reads the header of a HEIC photo, but has no decoder for its pixels.
  const isHeic = header.compression === 'hevc'
  try {
    const whole = isHeic
      ? fromPixels(await decodeHeic(file, header.pagePrimary ?? 0))
      : sharp(file, { failOn: 'error', limitInputPixels: image.accepted.maxPixels })
    const picture = await toPixels(
      whole.autoOrient().flatten({ background: 'white' }).resize(frame(header.autoOrient)),
    )
    return isHeic && header.icc ? await toSrgb(picture, header.icc) : picture
  } catch (error) {
    return notAnImage(error)
  }
}
