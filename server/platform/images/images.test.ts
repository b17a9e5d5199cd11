import { copyFile, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { sentences } from '#contract/sentences.ts'
import { startS3Server } from '#test/s3-server.ts'
import { createDiskStorage } from './disk-storage.ts'
import { createImages, renditionFile, type StoredImage } from './images.ts'
import { openS3Storage } from './s3-storage.ts'

const turnedHeic = fileURLToPath(import.meta.resolve('#test/fixtures/turned-p3-gps.heic'))

const tooLarge = { code: 'too_large', message: sentences.imageTooLarge }
const notAnImage = { code: 'unsupported_type', message: sentences.notAnImage }

async function newWorld() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'images-'))
  const storage = createDiskStorage(join(folder.path, 'stored'))
  const images = createImages({ storage })

  return {
    storage,
    images,
    [Symbol.asyncDispose]: () => folder.remove(),

    async upload(bytes: Uint8Array | string, name = 'upload'): Promise<string> {
      const file = join(folder.path, name)
      await writeFile(file, bytes)
      return file
    },

    async rendition({ name, width }: Pick<StoredImage, 'name' | 'width'>): Promise<Buffer> {
      const found = await images.open(renditionFile(name, width))
      if (!found) throw new Error(`There is no rendition of ${width}`)
      return buffer(found.stream)
    },

    async storedFiles(): Promise<string[]> {
      const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile() && entry.name !== 'upload').map((entry) => entry.name)
    },
  }
}

function plain(width: number, height: number, background = '#3a7d2c'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** A picture whose corners tell which way is up: red and green above, blue and white below. */
function corners(width: number, height: number): Promise<Buffer> {
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

/** The colours in the middle of the four quarters, each channel as strong (1) or weak (0). */
async function cornersOf(bytes: Buffer): Promise<string[]> {
  const { width, height } = await sharp(bytes).metadata()
  const colours: string[] = []
  for (const y of [0.25, 0.75]) {
    for (const x of [0.25, 0.75])
      colours.push(await colourAt(bytes, Math.floor(x * width), Math.floor(y * height)))
  }
  return colours
}

/** Every channel must be near one of its ends: neither a wrong colour space nor a blend passes. */
async function colourAt(bytes: Buffer, left: number, top: number): Promise<string> {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  return [...pixel].map((value) => (value < 25 ? '0' : value > 230 ? '1' : '?')).join('')
}

const upright = ['100', '010', '001', '111']

/** A PNG of one-bit black pixels: what it claims is large, what it weighs is not. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(content.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

describe('a photo', () => {
  test('is stored in the widths of the pages, as WebP in its own proportions', async () => {
    await using world = await newWorld()
    const file = await world.upload(await plain(2000, 1500).jpeg().toBuffer())

    const stored = await world.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 1200, height: 900, widths: [160, 320, 640, 1200] })
    for (const width of stored.widths) {
      const rendition = await sharp(await world.rendition({ name: stored.name, width })).metadata()
      expect(rendition).toMatchObject({ format: 'webp', width, height: (width * 3) / 4 })
    }
    expect(await world.storedFiles()).toHaveLength(4)
  })

  test.each([
    { sent: [500, 300], stored: [500, 300], widths: [160, 320, 500] },
    { sent: [320, 200], stored: [320, 200], widths: [160, 320] },
    { sent: [1, 1], stored: [1, 1], widths: [1] },
    { sent: [6000, 1], stored: [1200, 1], widths: [160, 320, 640, 1200] },
    { sent: [1000, 20_000], stored: [120, 2400], widths: [120] },
  ])('of $sent is never made wider than it was, nor endlessly high', async ({ sent, stored, widths }) => {
    await using world = await newWorld()
    const [sentWidth = 0, sentHeight = 0] = sent
    const file = await world.upload(await plain(sentWidth, sentHeight).png().toBuffer())

    expect(await world.images.store(file, 'photo')).toMatchObject({
      width: stored[0],
      height: stored[1],
      widths,
    })
  })

  test.each([
    ['JPEG', (picture: Sharp) => picture.jpeg({ quality: 95 })],
    ['progressive JPEG', (picture: Sharp) => picture.jpeg({ progressive: true, quality: 95 })],
    ['PNG', (picture: Sharp) => picture.png()],
    ['interlaced PNG', (picture: Sharp) => picture.png({ progressive: true })],
    ['palette PNG', (picture: Sharp) => picture.png({ palette: true })],
    ['16-bit PNG', (picture: Sharp) => picture.toColourspace('rgb16').png()],
    ['Display P3 PNG', (picture: Sharp) => picture.withIccProfile('p3').png()],
    ['WebP', (picture: Sharp) => picture.webp({ quality: 95 })],
    ['lossless WebP', (picture: Sharp) => picture.webp({ lossless: true })],
    ['AVIF', (picture: Sharp) => picture.avif({ effort: 1 })],
    ['10-bit AVIF', (picture: Sharp) => picture.avif({ effort: 1, bitdepth: 10 })],
  ])('that is a %s keeps its looks', async (_, encode) => {
    await using world = await newWorld()
    const file = await world.upload(await encode(sharp(await corners(320, 240))).toBuffer())

    const stored = await world.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240 })
    expect(await cornersOf(await world.rendition(stored))).toEqual(upright)
  })

  test('for print, in CMYK, keeps the colours that print can show', async () => {
    await using world = await newWorld()
    const print = sharp(await corners(320, 240))
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
    const file = await world.upload(await print.toBuffer())
    expect(await sharp(file).metadata()).toMatchObject({ space: 'cmyk' })

    const [red, , , white] = await cornersOf(await world.rendition(await world.images.store(file, 'photo')))

    expect([red, white]).toEqual(['100', '111'])
  })

  test('in black and white stays so', async () => {
    await using world = await newWorld()
    const file = await world.upload(await plain(300, 200, 'white').toColourspace('b-w').jpeg().toBuffer())

    const stored = await world.images.store(file, 'photo')

    expect(await colourAt(await world.rendition(stored), 150, 100)).toBe('111')
  })

  test('that is a HEIC turned by its container, in Display P3, is upright and in sRGB', async () => {
    await using world = await newWorld()

    const stored = await world.images.store(turnedHeic, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240, widths: [160, 320] })
    expect(await cornersOf(await world.rendition(stored))).toEqual(upright)
  })

  test.each([
    [3, (picture: Sharp) => picture.rotate(180)],
    [6, (picture: Sharp) => picture.rotate(270)],
    [7, (picture: Sharp) => picture.flop().rotate(90)],
    [8, (picture: Sharp) => picture.rotate(90)],
  ])('with EXIF orientation %i is turned upright', async (orientation, turn) => {
    await using world = await newWorld()
    const turned = sharp(
      await turn(sharp(await corners(320, 240)))
        .png()
        .toBuffer(),
    )
    const file = await world.upload(
      await turned.withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer(),
    )

    const stored = await world.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240 })
    expect(await cornersOf(await world.rendition(stored))).toEqual(upright)
  })

  test('loses its place, its camera and every other metadata', async () => {
    await using world = await newWorld()
    const sent = await plain(400, 300)
      .withExif({
        IFD0: { Model: 'Garden Phone' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- Garden Phone --></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect(await sharp(sent).metadata()).toMatchObject({
      exif: expect.anything(),
      xmp: expect.anything(),
      icc: expect.anything(),
    })

    for (const file of [await world.upload(sent), turnedHeic]) {
      const stored = await world.images.store(file, 'photo')
      const rendition = await world.rendition(stored)
      const { exif, xmp, icc } = await sharp(rendition).metadata()

      expect({ exif, xmp, icc }).toEqual({})
      expect(rendition.includes('Garden Phone')).toBe(false)
    }
  })

  test('loses a script that was appended to it', async () => {
    await using world = await newWorld()
    const script = '<script>alert(1)</script>'
    const file = await world.upload(
      Buffer.concat([await plain(400, 300).jpeg().toBuffer(), Buffer.from(script)]),
    )

    const stored = await world.images.store(file, 'photo')

    for (const width of stored.widths) {
      expect((await world.rendition({ name: stored.name, width })).includes(script)).toBe(false)
    }
  })

  test('stands on white where it was transparent', async () => {
    await using world = await newWorld()
    const clear = sharp({ create: { width: 200, height: 100, channels: 4, background: '#00000000' } })
    const file = await world.upload(await clear.png().toBuffer())

    const stored = await world.images.store(file, 'photo')

    expect(await colourAt(await world.rendition(stored), 100, 50)).toBe('111')
  })

  test('that moves shows its first frame', async () => {
    await using world = await newWorld()
    const frames = await Promise.all(
      ['#f00', '#00f'].map((colour) => plain(200, 100, colour).png().toBuffer()),
    )
    const file = await world.upload(
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    )
    expect(await sharp(file).metadata()).toMatchObject({ pages: 2 })

    const stored = await world.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 200, height: 100 })
    expect(await colourAt(await world.rendition(stored), 100, 50)).toBe('100')
  })

  test('has a placeholder of at most 300 bytes, however busy it is', async () => {
    await using world = await newWorld()
    const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
    const busy = sharp({ create: { width: 12, height: 12, channels: 3, background: 'white', noise } })
    const file = await world.upload(await busy.png().toBuffer())

    const { placeholder } = await world.images.store(file, 'photo')

    const [head, base64 = ''] = placeholder.split(',')
    expect(head).toBe('data:image/webp;base64')
    expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ width: 12, height: 12 })
    expect(placeholder.length).toBeLessThanOrEqual(300)
  })

  test('is known by what it is, whatever it is called', async () => {
    await using world = await newWorld()
    const file = await world.upload(await plain(200, 100).png().toBuffer(), 'photo.jpg')

    expect(await world.images.store(file, 'photo')).toMatchObject({ width: 200, height: 100 })
  })
})

describe('an avatar', () => {
  test.each([{ sent: [800, 600] }, { sent: [300, 200] }, { sent: [50, 80] }, { sent: [60_000, 1] }])(
    'of $sent becomes a square of 96 and of 460',
    async ({ sent }) => {
      const widths = [96, 460]
      await using world = await newWorld()
      const [width = 0, height = 0] = sent
      const file = await world.upload(await plain(width, height).jpeg().toBuffer())

      const stored = await world.images.store(file, 'avatar')

      expect(stored).toMatchObject({ width: 460, height: 460, widths })
      for (const width of widths) {
        const rendition = await sharp(await world.rendition({ name: stored.name, width })).metadata()
        expect(rendition).toMatchObject({ width, height: width })
      }
    },
  )

  test('is turned upright before it is cropped', async () => {
    await using world = await newWorld()
    const turned = sharp(
      await sharp(await corners(300, 300))
        .rotate(270)
        .png()
        .toBuffer(),
    )
    const file = await world.upload(
      await turned.withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(),
    )

    const stored = await world.images.store(file, 'avatar')

    expect(await cornersOf(await world.rendition(stored))).toEqual(upright)
  })
})

describe('an upload is refused, and nothing is stored, when it is', () => {
  const picture = () => plain(400, 300)

  test.each([
    ['empty', () => ''],
    ['text', () => 'Dear gardener, this is no picture.'],
    ['a page', () => '<!doctype html><script>alert(1)</script>'],
    [
      'an SVG',
      () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ],
    ['a GIF', () => picture().gif().toBuffer()],
    ['a TIFF', () => picture().tiff().toBuffer()],
    ['a PDF', () => '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF'],
    ['a film', () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
    [
      'text that begins like a JPEG',
      () => Buffer.from('\xff\xd8\xff\xe0 and then goes on like this', 'latin1'),
    ],
    ['text that begins like a HEIC', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    [
      'a GIF behind the beginning of a PNG',
      async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), await picture().gif().toBuffer()]),
    ],
  ])('%s', async (_, bytes) => {
    await using world = await newWorld()
    const file = await world.upload(await bytes())

    await expect(world.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
    expect(await world.storedFiles()).toEqual([])
  })

  test('a page called .png', async () => {
    await using world = await newWorld()
    const file = await world.upload('<!doctype html><p>Hello</p>', 'upload.png')

    await expect(world.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
  })

  test.each([
    ['JPEG', () => picture().jpeg().toBuffer()],
    ['progressive JPEG', () => picture().jpeg({ progressive: true }).toBuffer()],
    ['PNG', () => picture().png().toBuffer()],
    ['interlaced PNG', () => picture().png({ progressive: true }).toBuffer()],
    ['WebP', () => picture().webp().toBuffer()],
    ['AVIF', () => picture().avif({ effort: 1 }).toBuffer()],
    ['HEIC', () => readFile(turnedHeic)],
  ])('a %s cut off at its half or near its end', async (_, whole) => {
    await using world = await newWorld()
    const bytes = await whole()

    for (const length of [bytes.length >> 1, bytes.length - 20]) {
      const file = await world.upload(bytes.subarray(0, length))
      await expect(world.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
    }
    expect(await world.storedFiles()).toEqual([])
  })

  test('a bomb: 256 megapixels in 31 kB', async () => {
    await using world = await newWorld()
    const bomb = blackPng(16_000, 16_000)
    expect(bomb.length).toBeLessThan(33_000)

    await expect(world.images.store(await world.upload(bomb), 'photo')).rejects.toMatchObject(tooLarge)
    expect(await world.storedFiles()).toEqual([])
  })

  test('of more than 40 megapixels', async () => {
    await using world = await newWorld()
    const most = await world.upload(blackPng(8000, 5000))
    await expect(world.images.store(most, 'avatar')).resolves.toMatchObject({ width: 460 })

    const more = await world.upload(blackPng(8000, 5001))
    await expect(world.images.store(more, 'avatar')).rejects.toMatchObject(tooLarge)
  })

  test('of more than 40 megapixels in all its frames together', async () => {
    await using world = await newWorld()
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((colour) => plain(4000, 3400, colour).png().toBuffer()),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ effort: 0 })
      .toBuffer()

    await expect(world.images.store(await world.upload(moving), 'photo')).rejects.toMatchObject(tooLarge)
  })

  test('of more than 10 MB', async () => {
    await using world = await newWorld()
    const padded = Buffer.alloc(10 * 1024 * 1024 + 1)
    await plain(400, 300)
      .jpeg()
      .toBuffer()
      .then((jpeg) => jpeg.copy(padded))
    await expect(
      world.images.store(await world.upload(padded.subarray(0, -1)), 'photo'),
    ).resolves.toBeDefined()

    const stored = await world.storedFiles()
    await expect(world.images.store(await world.upload(padded), 'photo')).rejects.toMatchObject(tooLarge)
    expect(await world.storedFiles()).toEqual(stored)
  })
})

describe('a stored image', () => {
  test('has a name that nobody can guess, another one each time', async () => {
    await using world = await newWorld()
    const file = await world.upload(await plain(100, 100).png().toBuffer())

    const [first, second] = [await world.images.store(file, 'photo'), await world.images.store(file, 'photo')]

    expect(Buffer.from(first.name, 'base64url')).toHaveLength(16)
    expect(first.name).not.toBe(second.name)
  })

  test('opens as WebP of its size', async () => {
    await using world = await newWorld()
    const stored = await world.images.store(
      await world.upload(await plain(100, 100).png().toBuffer()),
      'photo',
    )

    const found = await world.images.open(renditionFile(stored.name, 100))

    expect(found).toMatchObject({ type: 'image/webp', size: expect.any(Number) })
    expect(found && (await buffer(found.stream))).toHaveLength(found?.size ?? 0)
  })

  test('is gone when it is removed', async () => {
    await using world = await newWorld()
    const { name, widths } = await world.images.store(
      await world.upload(await plain(400, 300).png().toBuffer()),
      'photo',
    )

    await world.images.remove(name, widths)

    expect(await world.storedFiles()).toEqual([])
    expect(await world.images.open(renditionFile(name, 160))).toBeUndefined()
  })

  test('opens by the name of a rendition only', async () => {
    await using world = await newWorld()
    const { name } = await world.images.store(
      await world.upload(await plain(160, 90).png().toBuffer()),
      'photo',
    )
    const good = renditionFile(name, 160)
    await world.storage.put('compost.txt', Buffer.from('ours'), 'text/plain')
    await copyFile(turnedHeic, await world.upload('', good))

    for (const file of [
      'compost.txt',
      `../${good}`,
      `${good}/`,
      `./${good}`,
      `${good}\0`,
      `${good}\n`,
      'constructor',
      '',
    ]) {
      expect(await world.images.open(file), file).toBeUndefined()
    }
    const found = await world.images.open(good)
    found?.stream.destroy()
    expect(found).toBeDefined()
  })

  test('is stored whole or not at all', async () => {
    await using world = await newWorld()
    await using s3 = await startS3Server('gardener')
    const images = createImages({
      storage: await openS3Storage({
        bucket: 'garden',
        region: 'eu-central-1',
        endpoint: s3.endpoint,
        pathStyle: true,
        credentials: { accessKeyId: 'gardener', secretAccessKey: 'compost' },
      }),
    })
    const file = await world.upload(await plain(1200, 900).jpeg().toBuffer())
    s3.refusePut = (path) => path.endsWith('-640.webp')

    await expect(images.store(file, 'photo')).rejects.toMatchObject({ name: 'QuotaExceeded' })
    expect(s3.objects.size).toBe(0)

    s3.refusePut = () => false
    await images.store(file, 'photo')
    expect(s3.objects.size).toBe(4)
  })
})

test('when too many uploads wait, the next one is asked to come back', async () => {
  await using world = await newWorld()
  const file = await world.upload(await plain(100, 100).png().toBuffer())
  const images = createImages({ storage: world.storage, concurrency: 1, waiting: 1 })

  const results = await Promise.allSettled([1, 2, 3].map(() => images.store(file, 'photo')))

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(results[2]).toMatchObject({ reason: { code: 'unavailable', retryAfter: 10 } })
  await expect(images.store(file, 'photo')).resolves.toBeDefined()
})
