import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { DecoderPool, Requester } from './decoder-pool.ts'
import type { Purpose } from './renditions.ts'
import type { Storage } from './storage.ts'

export interface StoredImage {
  /** The unguessable stem of the renditions' file names. */
  name: string
  /** Of the largest rendition. */
  width: number
  height: number
  /** A tiny blurred WebP as a data URI. */
  placeholder: string
  /** The renditions there are, smallest first. None of a photo is wider than what was sent. */
  widths: number[]
}

export interface OpenImage {
  stream: Readable
  /** In bytes. */
  size: number
  type: string
}

export interface Images {
  /**
   * Decodes, checks and re-encodes the file at this path, and stores the renditions: all of them, or none.
   * The file itself stays the caller's to remove. Throws `too_large` for more than 10 MB or 40 megapixels,
   * `unsupported_type` for what is no whole JPEG, PNG, WebP, AVIF or HEIC or can't be decoded in time, `unavailable` when
   * too many wait. Requesters take turns.
   */
  store(file: string, purpose: Purpose, requester: Requester): Promise<StoredImage>
  remove(name: string, widths: readonly number[]): Promise<void>
  /**
   * Removes renditions that were stored before a moment and whose images nobody knows, of those whose names begin with a
   * character: what a process left that was killed between file and row. Files that are no renditions stay. Returns how many went.
   */
  sweep(
    first: string,
    before: Date,
    listKnown: (names: string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number>
  /**
   * A rendition by the file name that a request names; undefined when there is none.
   * The caller must read `stream` to its end or destroy it.
   */
  open(file: string): Promise<OpenImage | undefined>
}

const type = 'image/webp'
const renditionPattern = /^([\w-]{22}-\d{1,4})\.(webp|jpg)$/

/** The file name of a rendition, as in `GET /images/{name}`; as JPEG for mail programs, many of which know no WebP. */
export function renditionFile(name: string, width: number, form: 'webp' | 'jpg' = 'webp'): string {
  return `${name}-${width}.${form}`
}

/** The name of the image that a rendition is of. */
function imageOf(file: string): string {
  return file.slice(0, nameLength)
}

/** The characters that a name begins with. */
export const firstCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const nameLength = 22

export function createImages({ storage, decoders }: { storage: Storage; decoders: DecoderPool }): Images {
  /** Made when it is first asked for, and kept. */
  async function openJpeg(rendition: string): Promise<OpenImage | undefined> {
    const file = `${rendition}.jpg`
    const type = 'image/jpeg'
    const kept = await storage.open(file)
    if (kept) return { ...kept, type }
    const original = await storage.open(`${rendition}.webp`)
    if (!original) return undefined
    const webp = await buffer(original.stream)
    const bytes = await decoders.toJpeg(webp)
    await storage.put(file, bytes, type)
    // A removal that ran meanwhile missed this file, because it was not there yet.
    const still = await storage.open(`${rendition}.webp`)
    if (!still) await storage.remove([file])
    still?.stream.destroy()
    return { stream: Readable.from([bytes]), size: bytes.length, type }
  }

  return {
    async store(file, purpose, requester) {
      const { renditions, placeholder } = await decoders.encode(file, purpose, requester)
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
      }
    },

    async remove(name, widths) {
      await storage.remove(
        widths.flatMap((width) => [renditionFile(name, width), renditionFile(name, width, 'jpg')]),
      )
    },

    sweep(first, before, listKnown) {
      return storage.sweep(first, before, async (files) => {
        const renditions = files.filter((file) => renditionPattern.test(file))
        const known = await listKnown([...new Set(renditions.map(imageOf))])
        return renditions.filter((file) => !known.has(imageOf(file)))
      })
    },

    async open(file) {
      const [, rendition = '', form] = renditionPattern.exec(file) ?? []
      if (form === 'jpg') return openJpeg(rendition)
      const found = form && (await storage.open(file))
      return found ? { ...found, type } : undefined
    },
  }
}

/** Stores all or, when one fails, none. */
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
  throw failed.reason
}
