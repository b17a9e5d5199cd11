import sharp, { type ResizeOptions } from 'sharp'
import { fromPixels, type Pixels } from './pixels.ts'

/**
 * Photos and the logo of the site keep their aspect ratio, and the logo has one size. Avatars are cropped to squares of 96 and 460 pixels
 * around the most salient part.
 */
export type Purpose = 'photo' | 'avatar' | 'logo'

export interface Rendition {
  width: number
  height: number
  /** A WebP file. */
  bytes: Uint8Array
}

export interface EncodedImage {
  /** The renditions, smallest first. Photos are not enlarged. */
  renditions: Rendition[]
  /** A tiny blurred WebP as a data URI. */
  placeholder: string
}

type SizeFor = (upright: { width: number; height: number }) => ResizeOptions

/** The decoded size for each purpose. Pictures are not enlarged, because a narrow one would need gigabytes. */
export const sizes: Record<Purpose, SizeFor> = {
  // The height is limited too, for pictures like 1 × 40,000,000.
  photo: () => ({ width: 1200, height: 2400, fit: 'inside', withoutEnlargement: true }),
  avatar: ({ width, height }) => {
    const side = Math.min(460, width, height)
    return { width: side, height: side, fit: 'cover', position: sharp.strategy.attention }
  },
  logo: () => ({ width: 640, height: 192, fit: 'inside', withoutEnlargement: true }),
}

/** The widths of the renditions, smallest first, for a decoded width. */
const widths: Record<Purpose, (decodedWidth: number) => number[]> = {
  photo: (decodedWidth) => [...[160, 320, 640].filter((width) => width < decodedWidth), decodedWidth],
  // Small avatars are enlarged, because pages use both sizes.
  avatar: () => [96, 460],
  logo: (decodedWidth) => [decodedWidth],
}

/** Encodes decoded pixels in the widths of their purpose. */
export async function encodeRenditions(picture: Pixels, purpose: Purpose): Promise<EncodedImage> {
  const renditions: Rendition[] = []
  for (const width of widths[purpose](picture.width)) {
    const { data, info } = await fromPixels(picture)
      .resize({ width })
      .webp({ quality: 78 })
      .toBuffer({ resolveWithObject: true })
    renditions.push({ width, height: info.height, bytes: data })
  }
  return { renditions, placeholder: await placeholderOf(picture) }
}

async function placeholderOf(picture: Pixels): Promise<string> {
  const bytes = await fromPixels(picture)
    .resize({ width: 12, height: 12, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 20 })
    .toBuffer()
  return `data:image/webp;base64,${bytes.toString('base64')}`
}
