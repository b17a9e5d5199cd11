import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** A file as Playwright puts it into a file field. */
interface Upload {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A photo of small squares in every gray, which hardly compresses. */
export async function photo({
  width,
  height,
  name = 'photo.jpg',
}: Size & { name?: string }): Promise<Upload> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: width / 4, height: height / 4, channels: 3, background: '#888', noise } as const
  const squares = await sharp({ create }).png().toBuffer()
  const picture = sharp(squares).resize(width, height, { kernel: 'nearest' })
  return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg({ quality: 95 }).toBuffer() }
}

/** Red above, blue below, lying on its side: only its EXIF orientation says how to hold it. */
export async function sidewaysPhoto(): Promise<Upload> {
  const half = (background: string) => ({
    create: { width: 200, height: 400, channels: 3 as const, background },
  })
  const blue = await sharp(half('#00f')).png().toBuffer()
  const picture = sharp({ create: { width: 400, height: 400, channels: 3, background: '#f00' } })
    .composite([{ input: blue, left: 200, top: 0 }])
    .withMetadata({ orientation: 6 })
  return { name: 'sideways.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() }
}

/** Says it is a photo and is none. */
export const brokenPhoto: Upload = {
  name: 'broken.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.from('not a photo at all'),
}

export const textFile: Upload = {
  name: 'list.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('two pounds of tomatoes'),
}

interface Size {
  width: number
  height: number
}

export interface Sent extends Size {
  type: string
  bytes: number
  /** The color in the middle of the upper and of the lower half. */
  upper: number[]
  lower: number[]
}

declare global {
  interface Window {
    sentPhoto?: Promise<Sent>
  }
}

/** Lets `sentPhoto` tell what photo the page really sends. Playwright itself does not see the files of an upload. */
export async function watchUploads(page: Page) {
  await page.addInitScript(() => {
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      const file = body instanceof FormData ? body.get('image') : null
      if (file instanceof File) window.sentPhoto = look(file)
      send.call(this, body)
    }
    async function look(file: File) {
      const bitmap = await createImageBitmap(file)
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {
        willReadFrequently: true,
      })
      context?.drawImage(bitmap, 0, 0)
      const colorAt = (share: number) =>
        Array.from(context?.getImageData(bitmap.width / 2, bitmap.height * share, 1, 1).data ?? [])
      return {
        width: bitmap.width,
        height: bitmap.height,
        type: file.type,
        bytes: file.size,
        upper: colorAt(0.25),
        lower: colorAt(0.75),
      }
    }
  })
}

export function sentPhoto(page: Page): Promise<Sent | undefined> {
  return page.evaluate(() => window.sentPhoto)
}
