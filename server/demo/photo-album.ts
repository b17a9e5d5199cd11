import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Deps } from '#server/deps.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Purpose } from '#server/platform/images/renditions.ts'

/** A use of a demo picture. `file` is its name in `photos/` or `portraits/`; `key` names the stored copy in the album. */
export interface Picture {
  readonly key: string
  readonly file: string
}

/** The stored demo images by key. No row refers to them yet. */
export type Album = ReadonlyMap<string, StoredImage>

/** More than the number of decoders, so that they do not wait for the disk. */
const concurrency = 4

/** Stores a copy of the picture for each use. If one fails, none is stored. */
export async function storeAlbum(
  images: Deps['images'],
  { photos, portraits }: { photos: readonly Picture[]; portraits: readonly Picture[] },
): Promise<Album> {
  const limit = pLimit(concurrency)
  const store =
    (folder: string, purpose: Purpose) =>
    ({ key, file }: Picture) =>
      limit(async () => {
        const path = join(import.meta.dirname, folder, `${file}.webp`)
        return [key, await images.store(path, purpose, key)] as const
      })
  const results = await Promise.allSettled([
    ...photos.map(store('photos', 'photo')),
    ...portraits.map(store('portraits', 'avatar')),
  ])
  const album = new Map(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
  const failed = results.find((result) => result.status === 'rejected')
  if (!failed) return album
  await removeAlbum(images, album)
  throw failed.reason
}

export async function removeAlbum(images: Deps['images'], album: Album): Promise<void> {
  await Promise.all([...album.values()].map(({ name, widths }) => images.remove(name, widths)))
}
