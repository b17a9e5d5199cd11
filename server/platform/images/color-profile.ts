import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { fromPixels, type Pixels, toPixels } from './pixels.ts'

const afterHeader = 33

/** Converts pixels from the color space of an ICC profile to sRGB. */
export async function toSrgb(pixels: Pixels, profile: Uint8Array): Promise<Pixels> {
  // sharp can not assign a profile to raw pixels, so they are written to a PNG with the profile.
  const png = await fromPixels(pixels).png({ compressionLevel: 0 }).toBuffer()
  const chunk = profileChunk(profile)
  return toPixels(sharp(Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)])))
}

/** https://www.w3.org/TR/png-3/#11iCCP */
function profileChunk(profile: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(profile)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
