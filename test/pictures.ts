import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Returns a JPEG of one color. */
export async function photo({ width = 640, height = 480, color = 'tomato' } = {}): Promise<Blob> {
  const pixels = { create: { width, height, channels: 3 as const, background: color } }
  return blob(await sharp(pixels).jpeg().toBuffer(), 'image/jpeg')
}

export function blob(bytes: Uint8Array<ArrayBufferLike> | string, type = 'application/octet-stream'): Blob {
  return new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type })
}

/** Returns a valid PNG of a few kilobytes with 256 megapixels. */
export function bomb(): Blob {
  return blob(blackPng(bombSize, bombSize), 'image/png')
}

const bombSize = 16_384
export const bombPixels = bombSize ** 2

/** Returns a PNG of one-bit black pixels: large in pixels and small in bytes. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', ''),
  ])
}

/** Returns a PNG chunk with its checksum. */
export function pngChunk(name: string, data: Buffer | string): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(data)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(named.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/**
 * Returns a valid progressive JPEG of one color that repeats a scan. A scan has few bytes, but a decoder processes all blocks for
 * each.
 */
export async function progressiveJpeg(scans: number, { width = 640, height = 480 } = {}): Promise<Buffer> {
  const whole = await sharp({ create: { width, height, channels: 3, background: 'gray' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const first = whole.indexOf(cbScanHeader)
  const end = whole.length - 2
  const scan = Buffer.from(whole.subarray(first, whole.indexOf(0xff, first + cbScanHeader.length)))
  // Encodes all bits of the coefficients at once. Such a scan may be repeated.
  scan[cbScanHeader.length - 1] = 0
  const own = whole.toString('latin1').split('\xff\xda').length - 1
  return Buffer.concat([whole.subarray(0, end), ...Array(scans - own).fill(scan), whole.subarray(end)])
}

/** The header of the scan with the upper bits of all coefficients of Cb. */
const cbScanHeader = Buffer.from('ffda0008010201013f01', 'hex')

/** Returns an animated WebP of one pixel that repeats a frame of about forty bytes. */
export async function animatedWebp(frames: number): Promise<Buffer> {
  const points = ['red', 'blue'].map((background) => ({
    create: { width: 1, height: 1, channels: 3 as const, background },
  }))
  const pngs = await Promise.all(points.map((point) => sharp(point).png().toBuffer()))
  const two = await sharp(pngs, { join: { animated: true } })
    .webp()
    .toBuffer()
  const last = two.subarray(two.lastIndexOf('ANMF'))
  const webp = Buffer.concat([two, ...Array(frames - 2).fill(last)])
  webp.writeUInt32LE(webp.length - 8, 4)
  return webp
}
