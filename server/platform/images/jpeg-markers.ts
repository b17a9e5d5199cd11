/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B */
const startOfScan = 0xda
const endOfImage = 0xd9

/** Yields the markers that start segments, and the end marker. Ends there or where the bytes end. */
function* markersOf(jpeg: Buffer): Generator<number> {
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

/** Counts the scans up to the end marker. */
export function countScans(jpeg: Buffer): number {
  let scans = 0
  for (const marker of markersOf(jpeg)) if (marker === startOfScan) scans += 1
  return scans
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

/** One byte of ones with its stuffed zero. No code of a picture has only ones. */
const ones = [0xff, 0x00]

/**
 * Returns a JPEG that a strict decoder accepts if only the end marker is missing. libjpeg reads all scans of a file with several, so they get
 * the marker. Of a single scan it reads up to eight bytes in advance, so that gets bytes that are no picture: after a marker libjpeg would only
 * warn of missing rows, and libvips does not see a warning about the last ones. At the end of the file both fail. The last few blocks can be
 * missing.
 */
export function withEnd(jpeg: Buffer): Buffer {
  const end = countScans(jpeg) === 1 ? Array.from({ length: 8 }, () => ones).flat() : [0xff, endOfImage]
  return Buffer.concat([jpeg, Buffer.from(end)])
}
