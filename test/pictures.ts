import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A photo as a phone sends it. */
export async function photo({ width = 640, height = 480, colour = 'tomato' } = {}): Promise<Blob> {
  const pixels = { create: { width, height, channels: 3 as const, background: colour } }
  return blob(await sharp(pixels).jpeg().toBuffer(), 'image/jpeg')
}

export function blob(bytes: Uint8Array<ArrayBufferLike> | string, type = 'application/octet-stream'): Blob {
  return new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type })
}

/** A whole and valid PNG of a few kilobytes that unpacks to 256 megapixels. */
export function bomb(): Blob {
  return blob(blackPng(16_384, 16_384), 'image/png')
}

/** A PNG of one-bit black pixels: what it claims is large, what it weighs is not. */
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

/** A part of a PNG, with its checksum. */
export function pngChunk(name: string, data: Buffer | string): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(data)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(named.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/**
 * A valid progressive JPEG of one colour that repeats the last scan of a colour channel: some bytes a scan, each of which
 * has a decoder go over all blocks again.
 */
export async function progressiveJpeg(scans: number, { width = 640, height = 480 } = {}): Promise<Buffer> {
  const whole = await sharp({ create: { width, height, channels: 3, background: 'gray' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const first = whole.indexOf(scanOfBlueness)
  const end = whole.length - 2
  const scan = Buffer.from(whole.subarray(first, whole.indexOf(0xff, first + scanOfBlueness.length)))
  // Says "all bits of the coefficients at once", which may be said again and again.
  scan[scanOfBlueness.length - 1] = 0
  const own = whole.toString('latin1').split('\xff\xda').length - 1
  return Buffer.concat([whole.subarray(0, end), ...Array(scans - own).fill(scan), whole.subarray(end)])
}

/** The head of the scan that brings the upper bits of all coefficients of Cb. */
const scanOfBlueness = Buffer.from('ffda0008010201013f01', 'hex')

/** An animated WebP of one point, which repeats a frame of some forty bytes. */
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
