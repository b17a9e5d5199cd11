import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Deps } from '#server/deps.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Purpose } from '#server/platform/images/renditions.ts'
import { drawingsReader } from './drawings.ts'
import { paint, paintPortrait } from './painting.ts'
import { type PictureName, pictures } from './pictures.ts'

/** The demo's pictures by name, stored as if their owners had uploaded them; of no row yet. */
export type Album = ReadonlyMap<string, StoredImage>

/** As many as keep two cores busy while one waits for the disk. */
const atOnce = 4

/** Paints and stores all of them or, when one fails, none. */
export async function storeAlbum(
  images: Deps['images'],
  { photos, portraits }: { photos: readonly PictureName[]; portraits: readonly string[] },
): Promise<Album> {
  const folder = await mkdtemp(join(tmpdir(), 'rhubarb-demo-'))
  const drawingOf = drawingsReader()
  const turn = pLimit(atOnce)
  const album = new Map<string, StoredImage>()
  let failure: { error: unknown } | undefined

  const keep = (name: string, purpose: Purpose, painted: () => Promise<Buffer>) =>
    turn(async () => {
      if (failure) return
      try {
        const file = join(folder, `${name}.png`)
        await writeFile(file, await painted())
        album.set(name, await images.store(file, purpose, name))
      } catch (error) {
        failure ??= { error }
      }
    })

  await Promise.all([
    ...photos.map((name) => keep(name, 'photo', () => paint(pictures[name], drawingOf))),
    ...portraits.map((name) => keep(name, 'avatar', () => paintPortrait(portraitFile(name)))),
  ])
  await rm(folder, { recursive: true, force: true })
  if (!failure) return album
  await removeAlbum(images, album)
  throw failure.error
}

export async function removeAlbum(images: Deps['images'], album: Album): Promise<void> {
  await Promise.all([...album.values()].map(({ name, widths }) => images.remove(name, widths)))
}

function portraitFile(name: string): string {
  return join(import.meta.dirname, 'art', 'people', `${name}.svg`)
}
