import sharp, { type Sharp } from 'sharp'

/** Raw pixels with 8 bits per channel, row by row. */
export interface Pixels {
  data: Uint8Array | Uint8ClampedArray
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

export function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}

/** Returns the pixels of a pipeline in sRGB. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}
