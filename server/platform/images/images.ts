import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import sharp, { type ResizeOptions } from 'sharp'
import { sentences } from '#contract/sentences.ts'
import { AppError } from '#server/platform/errors.ts'
import { decode } from './decode.ts'
import { fromPixels, type Pixels } from './pixels.ts'
import type { Storage } from './storage.ts'

/** A photo keeps its shape and gets the widths of the pages; an avatar becomes a square of 96 and of 460 around what matters in it. */
export type Purpose = 'photo' | 'avatar'

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
   * `unsupported_type` for what is no whole JPEG, PNG, WebP, AVIF or HEIC, `unavailable` when too many wait or it takes too long.
   */
  store(file: string, purpose: Purpose): Promise<StoredImage>
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
   * Whoever opens it reads `stream` to its end or destroys it.
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

/** `concurrency` is how many pictures are worked on at once, `waiting` how many more may queue up for it. */
export function createImages({
  storage,
  concurrency = 2,
  waiting = 100,
}: {
  storage: Storage
  concurrency?: number
  waiting?: number
}): Images {
  // One thread a picture and no cache keep memory in proportion to `concurrency`.
  sharp.concurrency(1)
  sharp.cache(false)
  const limit = pLimit(concurrency)

  async function makeAndStore(file: string, purpose: Purpose): Promise<StoredImage> {
    const { frame, widths } = shapes[purpose]
    const picture = await decode(file, frame)
    const name = randomBytes(16).toString('base64url')
    const renditions = await encode(picture, name, widths(picture.width))
    await putAll(storage, renditions)
    return {
      name,
      width: Math.max(...renditions.map(({ width }) => width)),
      height: Math.max(...renditions.map(({ height }) => height)),
      placeholder: await placeholderOf(picture),
      widths: renditions.map(({ width }) => width),
    }
  }

  /** Made when it is first asked for, and kept. */
  async function openJpeg(rendition: string): Promise<OpenImage | undefined> {
    const file = `${rendition}.jpg`
    const type = 'image/jpeg'
    const kept = await storage.open(file)
    if (kept) return { ...kept, type }
    const original = await storage.open(`${rendition}.webp`)
    if (!original) return undefined
    const webp = await buffer(original.stream)
    const bytes = await limited(() => sharp(webp).jpeg({ quality: 80, mozjpeg: true }).toBuffer())
    await storage.put(file, bytes, type)
    // Whoever removed the photo meanwhile has looked for this file before it was there.
    const still = await storage.open(`${rendition}.webp`)
    if (!still) await storage.remove([file])
    still?.stream.destroy()
    return { stream: Readable.from([bytes]), size: bytes.length, type }
  }

  function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (limit.pendingCount >= waiting)
      throw new AppError('unavailable', sentences.unavailable, { retryAfter: 10 })
    return limit(work)
  }

  return {
    async store(file, purpose) {
      return limited(() => makeAndStore(file, purpose))
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

interface Shape {
  /** What is kept of the picture, by its upright size. Never larger than it: enlarging a strip would take gigabytes. */
  frame: (upright: { width: number; height: number }) => ResizeOptions
  /** The renditions' widths, smallest first, by the width of what was kept. */
  widths: (kept: number) => number[]
}

const shapes: Record<Purpose, Shape> = {
  photo: {
    // The height is bounded too: a strip of 1 × 40,000,000 is no rendition.
    frame: () => ({ width: 1200, height: 2400, fit: 'inside', withoutEnlargement: true }),
    widths: (kept) => [...[160, 320, 640].filter((width) => width < kept), kept],
  },
  avatar: {
    frame: ({ width, height }) => {
      const side = Math.min(460, width, height)
      return { width: side, height: side, fit: 'cover', position: sharp.strategy.attention }
    },
    // A small one is enlarged: pages ask for both sizes by name, without knowing what was sent.
    widths: () => [96, 460],
  },
}

interface Rendition {
  file: string
  width: number
  height: number
  bytes: Buffer
}

async function encode(picture: Pixels, name: string, widths: readonly number[]): Promise<Rendition[]> {
  const renditions: Rendition[] = []
  for (const width of widths) {
    const { data, info } = await fromPixels(picture)
      .resize({ width })
      .webp({ quality: 78 })
      .toBuffer({ resolveWithObject: true })
    renditions.push({ file: renditionFile(name, width), width, height: info.height, bytes: data })
  }
  return renditions
}

async function placeholderOf(picture: Pixels): Promise<string> {
  const bytes = await fromPixels(picture)
    .resize({ width: 12, height: 12, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 20 })
    .toBuffer()
  return `data:${type};base64,${bytes.toString('base64')}`
}

/** Stores all or, when one fails, none. */
async function putAll(storage: Storage, renditions: readonly Rendition[]): Promise<void> {
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
