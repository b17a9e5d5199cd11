/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B */
export const startOfScan = 0xda
const endOfImage = 0xd9

/** Yields the markers that start segments, and the end marker. Ends there or where the bytes end. */
export function* markersOf(jpeg: Buffer): Generator<number> {
  for (let at = jpeg.indexOf(0xff, 2); at !== -1 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at)) {
    const marker = jpeg.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (hasNoSegment(marker)) at += 2
    else {
      yield marker
      if (marker === endOfImage) return
      at += 2 + (at + 4 <= jpeg.length ? jpeg.readUInt16BE(at + 2) : 0)
    }
  }
}

/** Returns whether a marker is a stuffed byte, a restart marker or has no segment. */
function hasNoSegment(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

/**
 * Returns whether a JPEG lacks its end marker. The picture before it may be complete, and viewers show it. If it ends with zeros, the
 * file was not written completely.
 */
export function isWithoutEnd(jpeg: Buffer): boolean {
  for (const marker of markersOf(jpeg)) if (marker === endOfImage) return false
  return jpeg.subarray(-16).some((byte) => byte !== 0)
}

/** Returns a JPEG with an end marker after its last byte. */
export function withEnd(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg, Buffer.from([0xff, endOfImage])])
}
