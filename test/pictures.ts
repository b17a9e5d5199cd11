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
