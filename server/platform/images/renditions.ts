import sharp, { type ResizeOptions } from 'sharp'
import { fromPixels, type Pixels } from './pixels.ts'

/** A photo keeps its shape and gets the widths of the pages; an avatar becomes a square of 96 and of 460 around what matters in it. */
export type Purpose = 'photo' | 'avatar'

export interface Rendition {
  width: number
  height: number
  /** A WebP file. */
  bytes: Uint8Array
}

export interface EncodedImage {
  /** Smallest first. None of a photo is wider than what was sent. */
  renditions: Rendition[]
  /** A tiny blurred WebP as a data URI. */
  placeholder: string
}

type Frame = (upright: { width: number; height: number }) => ResizeOptions

/** The stored size for each purpose. Pictures are never enlarged: a narrow strip would take gigabytes. */
export const frames: Record<Purpose, Frame> = {
  // The height is bounded too: a strip of 1 × 40,000,000 is no rendition.
  photo: () => ({ width: 1200, height: 2400, fit: 'inside', withoutEnlargement: true }),
  avatar: ({ width, height }) => {
    const side = Math.min(460, width, height)
    return { width: side, height: side, fit: 'cover', position: sharp.strategy.attention }
  },
}

/** The renditions' widths, smallest first, by the width of what was kept. */
const widths: Record<Purpose, (kept: number) => number[]> = {
  photo: (kept) => [...[160, 320, 640].filter((width) => width < kept), kept],
  // A small one is enlarged: pages ask for both sizes by name, without knowing what was sent.
  avatar: () => [96, 460],
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
