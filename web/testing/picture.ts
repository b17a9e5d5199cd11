import { openDB } from 'idb'
import type { Photo } from '#contract/images.ts'
import { photoDatabase } from '#web/login/stored-data.ts'

/** Returns a PNG of one color. */
export async function picture(name: string): Promise<File> {
  const canvas = new OffscreenCanvas(40, 30)
  canvas.getContext('2d')?.fillRect(0, 0, 40, 30)
  return new File([await canvas.convertToBlob()], name, { type: 'image/png' })
}

/** Returns a photo as the server returns it after its upload. */
export function uploadedPhoto(id: number): Photo {
  return {
    id,
    src: '/none.webp',
    srcset: '',
    width: 4,
    height: 3,
    placeholder: 'data:image/webp;base64,UklGRg==',
    alt: null,
  }
}

/** Returns the ids of the uploaded photos in the stored drafts. */
export async function storedUploads(): Promise<unknown[]> {
  const database = await openDB(photoDatabase)
  const drafts: { image?: Photo }[][] = database.objectStoreNames.contains('drafts')
    ? await database.getAll('drafts')
    : []
  database.close()
  return drafts.flat().map(({ image }) => image?.id)
}
