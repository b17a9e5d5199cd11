import type { ImageKind } from './image-kind.ts'

/** The limits are far above the files of cameras and encoders. */
const maxScans = 100
const maxFrames = 1000

/** Returns whether decoding would take many scans or frames, which the number of pixels does not show. */
export function hasTooManyPasses(kind: ImageKind, bytes: Buffer): boolean {
  if (kind === 'jpeg') return countScans(bytes) > maxScans
  if (kind === 'webp') return countFrames(bytes) > maxFrames
  return false
}

const endOfImage = 0xd9
const startOfScan = 0xda

/** Counts the scans up to the end marker. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B */
function countScans(jpeg: Buffer): number {
  let scans = 0
  for (let at = jpeg.indexOf(0xff, 2); at !== -1 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at)) {
    const marker = jpeg.readUInt8(at + 1)
    if (marker === endOfImage) break
    if (marker === 0xff) at += 1
    else if (hasNoSegment(marker)) at += 2
    else {
      if (marker === startOfScan) scans += 1
      at += 2 + (at + 4 <= jpeg.length ? jpeg.readUInt16BE(at + 2) : 0)
    }
  }
  return scans
}

/** Returns whether a marker is a stuffed byte, a restart marker or has no segment. */
function hasNoSegment(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)
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
