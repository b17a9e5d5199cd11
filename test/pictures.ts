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

/** A whole and valid PNG of a few kilobytes that unpacks to 256 megapixels: black, one bit a pixel. */
export function bomb(side = 16_384): Blob {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(side * (side / 8 + 1)), { level: 9 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return blob(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]),
    'image/png',
  )
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
