import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { photoStorageError } from '#server/platform/errors.ts'
import type { DecoderPool, Requester } from './decoder-pool.ts'
import type { Purpose } from './renditions.ts'
import type { Storage } from './storage.ts'

export interface StoredImage {
  /** The random stem of the renditions' file names. */
  name: string
  /** The width of the largest rendition. */
  width: number
  height: number
  /** A tiny blurred WebP as a data URI. */
  placeholder: string
  /** The widths of the renditions, smallest first. Photos are not enlarged. */
  widths: number[]
  /** The size of all renditions. */
  bytes: number
}

export interface OpenImage {
  stream: Readable
  /** In bytes. */
  size: number
  type: string
}

export interface Images {
  /**
   * Decodes, checks and re-encodes the file at this path, and stores all renditions or none. The caller deletes the file. Throws
   * `too_large` for more than 10 MB or 40 megapixels or if decoding takes too long, `unsupported_type` if it is no complete JPEG, PNG, WebP,
   * AVIF or HEIC, `unavailable` if too many images wait, it has waited too long or no process starts in time. An aborted signal ends
   * it with its reason.
   */
  store(
    file: string,
    purpose: Purpose,
    requester: Requester,
    signal?: AbortSignal | undefined,
  ): Promise<StoredImage>
  remove(name: string, widths: readonly number[]): Promise<void>
  /**
   * Deletes renditions without a row: files whose names start with this character, which were stored before a time, and whose images
   * `listKnown` does not return. Processes leave them that are killed before they insert the row. Returns how many were deleted.
   */
  sweep(
    firstCharacter: string,
    before: Date,
    listKnown: (names: string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number>
  /**
   * Opens a rendition by its file name; undefined if it does not exist. The caller must read `stream` to its end or destroy it.
   */
  open(file: string): Promise<OpenImage | undefined>
}

const type = 'image/webp'
const renditionPattern = /^([\w-]{22}-\d{1,4})\.(webp|jpg)$/

/** Returns the file name of a rendition, as in `GET /images/{name}`. JPEG is for mail programs without WebP support. */
export function renditionFile(name: string, width: number, form: 'webp' | 'jpg' = 'webp'): string {
  return `${name}-${width}.${form}`
}

/** Returns the name of a rendition's image; undefined if the file is no rendition. */
export function imageNameOf(file: string): string | undefined {
  return renditionPattern.test(file) ? file.slice(0, nameLength) : undefined
}

/** The possible first characters of names. */
export const firstCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const nameLength = 22

export function createImages({ storage, decoders }: { storage: Storage; decoders: DecoderPool }): Images {
  /** Opens the JPEG of a rendition. It is created and stored on its first use. */
  async function openJpeg(rendition: string): Promise<OpenImage | undefined> {
    const file = `${rendition}.jpg`
    const type = 'image/jpeg'
    const stored = await storage.open(file)
    if (stored) return { ...stored, type }
    const original = await storage.open(`${rendition}.webp`)
    if (!original) return undefined
    const webp = await buffer(original.stream)
    const bytes = await decoders.toJpeg(webp)
    await storage.put(file, bytes, type)
    // A concurrent removal did not delete this file, because it did not exist yet.
    const remaining = await storage.open(`${rendition}.webp`)
    if (!remaining) await storage.remove([file])
    remaining?.stream.destroy()
    return { stream: Readable.from([bytes]), size: bytes.length, type }
  }

  return {
    async store(file, purpose, requester, signal) {
      const { renditions, placeholder } = await decoders.encode(file, purpose, requester, signal)
      const name = randomBytes(16).toString('base64url')
      await putAll(
        storage,
        renditions.map(({ width, bytes }) => ({ file: renditionFile(name, width), bytes })),
      )
      return {
        name,
        width: Math.max(...renditions.map(({ width }) => width)),
        height: Math.max(...renditions.map(({ height }) => height)),
        placeholder,
        widths: renditions.map(({ width }) => width),
        bytes: renditions.reduce((sum, { bytes }) => sum + bytes.length, 0),
      }
    },

    async remove(name, widths) {
      await storage.remove(
        widths.flatMap((width) => [renditionFile(name, width), renditionFile(name, width, 'jpg')]),
      )
    },

    sweep(first, before, listKnown) {
      return storage.sweep(first, before, async (files) => {
        const images = Map.groupBy(files, imageNameOf)
        images.delete(undefined)
        const known = await listKnown([...images.keys()].filter((name) => name !== undefined))
        return [...images].flatMap(([name, renditions]) => (name && !known.has(name) ? renditions : []))
      })
    },

    async open(file) {
      const [, rendition = '', form] = renditionPattern.exec(file) ?? []
      if (form === 'jpg') return openJpeg(rendition)
      const opened = form && (await storage.open(file))
      return opened ? { ...opened, type } : undefined
    },
  }
}

/** Stores all files or, if one fails, none. */
async function putAll(
  storage: Storage,
  renditions: readonly { file: string; bytes: Uint8Array }[],
): Promise<void> {
  const puts = await Promise.allSettled(renditions.map(({ file, bytes }) => storage.put(file, bytes, type)))
  const failed = puts.find((put) => put.status === 'rejected')
  if (!failed) return
  await storage.remove(renditions.map(({ file }) => file)).catch((error) => {
    throw new AggregateError(
      [failed.reason, error],
      `Renditions like ${renditions[0]?.file} could be neither stored nor removed`,
    )
  })
  throw photoStorageError(failed.reason)
}
