import type { ImageKind } from './image-kind.ts'
import { countScans } from './jpeg-markers.ts'

/** The limits are far above the files of cameras and encoders. */
const maxScans = 100
const maxFrames = 1000

/** Returns whether decoding would take many scans or frames, which the number of pixels does not show. */
export function hasTooManyPasses(kind: ImageKind, bytes: Buffer): boolean {
  if (kind === 'jpeg') return countScans(bytes) > maxScans
  if (kind === 'webp') return countFrames(bytes) > maxFrames
  return false
}

/** Counts the `ANMF` chunks. libwebp walks them all to find one. https://developers.google.com/speed/webp/docs/riff_container */
function countFrames(webp: Buffer): number {
  let frames = 0
  for (let at = 12; at + 8 <= webp.length; ) {
    if (webp.toString('latin1', at, at + 4) === 'ANMF') frames += 1
    const size = webp.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return frames
}
