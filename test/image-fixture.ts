import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { createDecoderPool, type DecoderPoolOptions } from '#server/platform/images/decoder-pool.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import { createImages, type Images, renditionFile, type StoredImage } from '#server/platform/images/images.ts'

export const turnedHeic = fileURLToPath(import.meta.resolve('#test/fixtures/turned-p3-gps.heic'))
/** The path of a HEIC of 2400 × 1800 pixels with a clean aperture of 300 × 300 in its middle. */
export const croppedHeic = fileURLToPath(import.meta.resolve('#test/fixtures/cropped.heic'))

/** The path of a WebP with three frames of one color, 4000 × 3400 pixels each. Encoding them takes seconds. */
export const movingWebp = fileURLToPath(
  import.meta.resolve('#test/fixtures/three-frames-of-14-megapixels.webp'),
)

/** Starting decoders takes longer than decoding most images, so the tests of a worker share them. */
const sharedDecoders = createDecoderPool()

/** Creates an image storage in a new folder. With options it has its own decoder processes, else shared ones. */
export async function newImageFixture(options?: DecoderPoolOptions) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'images-'))
  const storage = createDiskStorage(join(folder.path, 'stored'))
  const decoders = options ? createDecoderPool(options) : sharedDecoders
  const images = createImages({ storage, decoders })
  type Store = Images['store']
  const store = (
    file: string,
    purpose: Parameters<Store>[1],
    requester: Parameters<Store>[2] = 'ann',
    signal?: AbortSignal,
  ) => images.store(file, purpose, requester, signal)

  return {
    storage,
    decoders,
    images: { ...images, store },
    async [Symbol.asyncDispose]() {
      if (options) await decoders.stop()
      await folder.remove()
    },

    async upload(bytes: Uint8Array | string, name = 'upload'): Promise<string> {
      const file = join(folder.path, name)
      await writeFile(file, bytes)
      return file
    },

    async rendition({ name, width }: Pick<StoredImage, 'name' | 'width'>): Promise<Buffer> {
      const opened = await images.open(renditionFile(name, width))
      if (!opened) throw new Error(`There is no rendition of ${width}`)
      return buffer(opened.stream)
    },

    async storedFiles(): Promise<string[]> {
      const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile() && entry.name !== 'upload').map((entry) => entry.name)
    },
  }
}

export function plain(width: number, height: number, background = '#3a7d2c'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** Returns a picture with different corners: red and green at the top, blue and white at the bottom. */
export function corners(width: number, height: number): Promise<Buffer> {
  const half = { width: width / 2, height: height / 2, channels: 3 } as const
  return plain(width, height, 'white')
    .composite([
      { input: { create: { ...half, background: '#f00' } }, left: 0, top: 0 },
      { input: { create: { ...half, background: '#0f0' } }, left: width / 2, top: 0 },
      { input: { create: { ...half, background: '#00f' } }, left: 0, top: height / 2 },
    ])
    .png()
    .toBuffer()
}

/** Returns the colors in the middle of the four quarters, each channel as 1 (strong) or 0 (weak). */
export async function cornersOf(bytes: Buffer): Promise<string[]> {
  const { width, height } = await sharp(bytes).metadata()
  const colors: string[] = []
  for (const y of [0.25, 0.75]) {
    for (const x of [0.25, 0.75])
      colors.push(await colorAt(bytes, Math.floor(x * width), Math.floor(y * height)))
  }
  return colors
}

/** Returns the color of a pixel, each channel as 1, 0 or ? if it is in between (a wrong color space or a blend). */
export async function colorAt(bytes: Buffer, left: number, top: number): Promise<string> {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  return [...pixel].map((value) => (value < 25 ? '0' : value > 230 ? '1' : '?')).join('')
}

/** The result of `cornersOf` for the picture `corners`. */
export const upright = ['100', '010', '001', '111']
