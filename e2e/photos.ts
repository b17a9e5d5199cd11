import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** A file for Playwright's `setInputFiles`. */
interface Upload {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Returns a photo of squares in random grays, which hardly compresses. `square` is the side of one in pixels. */
export async function photo({
  width,
  height,
  name = 'photo.jpg',
  square = 4,
}: Size & { name?: string; square?: number }): Promise<Upload> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = {
    width: width / square,
    height: height / square,
    channels: 3,
    background: '#888',
    noise,
  } as const
  const squares = await sharp({ create }).png().toBuffer()
  const picture = sharp(squares).resize(width, height, { kernel: 'nearest' })
  return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg({ quality: 95 }).toBuffer() }
}

/** Returns a photo whose EXIF orientation turns it: displayed upright it is red above and blue below. */
export async function rotatedPhoto(): Promise<Upload> {
  const half = (background: string) => ({
    create: { width: 200, height: 400, channels: 3 as const, background },
  })
  const blue = await sharp(half('#00f')).png().toBuffer()
  const picture = sharp({ create: { width: 400, height: 400, channels: 3, background: '#f00' } })
    .composite([{ input: blue, left: 200, top: 0 }])
    .withMetadata({ orientation: 6 })
  return { name: 'sideways.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() }
}

/** A file that begins like a JPEG, but is none. */
export const brokenPhoto: Upload = {
  name: 'broken.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('not a photo at all')]),
}

/** A text file with the name and type of a photo. */
export const disguisedText: Upload = {
  name: 'notes.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.from('two pounds of tomatoes'),
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
  /** RGBA in the middle of the upper and of the lower half. */
  upper: number[]
  lower: number[]
}

declare global {
  interface Window {
    uploadedPhoto?: Promise<Sent>
  }
}

/** Makes `uploadedPhoto` return the photo that the page uploads. Playwright does not expose the files of an upload. */
export async function captureUploads(page: Page) {
  await page.addInitScript(() => {
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      const file = body instanceof FormData ? body.get('image') : null
      if (file instanceof File) window.uploadedPhoto = inspect(file)
      send.call(this, body)
    }
    async function inspect(file: File) {
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

export function uploadedPhoto(page: Page): Promise<Sent | undefined> {
  return page.evaluate(() => window.uploadedPhoto)
}

/** Returns the descriptions of the photos in drafts, and the number of their files. A reload loses what is not stored yet. */
export function storedPhotos(page: Page): Promise<{ descriptions: string[]; files: number }> {
  return page.evaluate(async () => {
    const done = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('photo-drafts'))
    const stores = database.transaction(['drafts', 'files'])
    const drafts = await done<{ alt: string }[][]>(stores.objectStore('drafts').getAll())
    const files = await done(stores.objectStore('files').count())
    database.close()
    return { descriptions: drafts.flat().map(({ alt }) => alt), files }
  })
}
