import { readFile } from 'node:fs/promises'
import sharp, { type Metadata, type ResizeOptions, type Sharp } from 'sharp'
import { image } from '#contract/constants.ts'
import { toSrgb } from './color-profile.ts'
import { decodeHeic } from './decode-heic.ts'
import type { ImageKind } from './image-kind.ts'
import { isWithoutEnd, withEnd } from './jpeg-markers.ts'
import { hasTooManyPasses } from './passes.ts'
import { fromPixels, type Pixels, toPixels } from './pixels.ts'
import { notAnImage, tooLarge } from './refusals.ts'

/**
 * Decodes a file to upright sRGB pixels without alpha and metadata. `sizeFor` returns the target size for the upright size. The header
 * is checked before pixels are decoded. Throws `too_large` and `unsupported_type`.
 */
export async function decode(
  file: string,
  kind: ImageKind,
  sizeFor: (upright: { width: number; height: number }) => ResizeOptions,
): Promise<Pixels> {
  const bytes = await readFile(file)
  if (hasTooManyPasses(kind, bytes)) return notAnImage()
  const header = await sharp(file, { limitInputPixels: false }).metadata().catch(notAnImage)
  if (!isOfKind(header, kind)) return notAnImage()
  if (header.width * header.height * (header.pages ?? 1) > image.accepted.maxPixels) return tooLarge()

  // sharp's libvips reads the header of a HEIC photo but can not decode its pixels.
  const isHeic = kind === 'heic'
  try {
    const whole = isHeic
      ? fromPixels(await decodeHeic(file, header.pagePrimary ?? 0))
      : open(file, kind, bytes)
    const picture = await toPixels(
      whole.autoOrient().flatten({ background: 'white' }).resize(sizeFor(header.autoOrient)),
    )
    return isHeic && header.icc ? await toSrgb(picture, header.icc) : picture
  } catch (error) {
    return notAnImage(error)
  }
}

function isOfKind({ format, compression }: Metadata, kind: ImageKind): boolean {
  if (kind === 'heic') return format === 'heif' && compression === 'hevc'
  if (kind === 'avif') return format === 'heif' && compression === 'av1'
  return format === kind
}

/** Opens a picture that must be complete. If a JPEG only lacks its end marker, libjpeg warns of nothing once it is added. */
function open(file: string, kind: ImageKind, bytes: Buffer): Sharp {
  const limitInputPixels = image.accepted.maxPixels
  return kind === 'jpeg' && isWithoutEnd(bytes)
    ? sharp(withEnd(bytes), { failOn: 'warning', limitInputPixels })
    : sharp(file, { failOn: 'error', limitInputPixels })
}
