import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { errorMessages } from '#contract/error-messages.ts'
import { movingWebp, newImageFixture, plain, turnedHeic } from '#test/image-fixture.ts'
import { blackPng } from '#test/pictures.ts'

const tooLarge = { code: 'too_large', message: errorMessages.imageTooLarge }
const notAnImage = { code: 'unsupported_type', message: errorMessages.notAnImage }

describe('an upload is refused and not stored if it is', () => {
  const picture = () => plain(400, 300)

  test.each([
    ['empty', () => ''],
    ['text', () => 'Dear gardener, this is no picture.'],
    ['HTML', () => '<!doctype html><script>alert(1)</script>'],
    [
      'an SVG',
      () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ],
    ['a GIF', () => picture().gif().toBuffer()],
    ['a TIFF', () => picture().tiff().toBuffer()],
    ['a PDF', () => '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF'],
    ['a video', () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
    [
      'text that starts like a JPEG',
      () => Buffer.from('\xff\xd8\xff\xe0 and then goes on like this', 'latin1'),
    ],
    ['text that starts like a HEIC', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    [
      'a GIF after the first bytes of a PNG',
      async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), await picture().gif().toBuffer()]),
    ],
  ])('%s', async (_, bytes) => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload(await bytes())

    await expect(fixture.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
    expect(await fixture.storedFiles()).toEqual([])
  })

  test('HTML named .png', async () => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload('<!doctype html><p>Hello</p>', 'upload.png')

    await expect(fixture.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
  })

  test.each([
    ['JPEG', () => picture().jpeg().toBuffer()],
    ['progressive JPEG', () => picture().jpeg({ progressive: true }).toBuffer()],
    ['PNG', () => picture().png().toBuffer()],
    ['interlaced PNG', () => picture().png({ progressive: true }).toBuffer()],
    ['WebP', () => picture().webp().toBuffer()],
    ['AVIF', () => picture().avif({ effort: 1 }).toBuffer()],
    ['HEIC', () => readFile(turnedHeic)],
  ])('a truncated %s', async (_, whole) => {
    await using fixture = await newImageFixture()
    const bytes = await whole()

    for (const length of [bytes.length >> 1, bytes.length - 20]) {
      const file = await fixture.upload(bytes.subarray(0, length))
      await expect(fixture.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
    }
    expect(await fixture.storedFiles()).toEqual([])
  })

  test.each([false, true])(
    'a JPEG (progressive: %s) that ends before its last block',
    async (progressive) => {
      await using fixture = await newImageFixture()
      const bytes = await picture().jpeg({ progressive }).toBuffer()
      for (const missing of [3, 4, 8]) {
        const file = await fixture.upload(bytes.subarray(0, -missing))
        await expect(fixture.images.store(file, 'photo')).rejects.toMatchObject(notAnImage)
      }
    },
  )

  // The last rows that libvips reads at a time: more of a large picture, and only whole blocks without chroma subsampling.
  test.each([
    ['4:4:4', 640, 0.01],
    ['4:2:0', 3000, 0.01],
  ] as const)('a JPEG (%s, %i pixels wide) without its last rows', async (chromaSubsampling, side, share) => {
    await using fixture = await newImageFixture()
    const noise = Buffer.alloc(side * side * 3, 'beans, peas, kale and corn')
    const raw = { width: side, height: side, channels: 3 } as const
    const bytes = await sharp(noise, { raw }).jpeg({ chromaSubsampling }).toBuffer()
    for (const purpose of ['photo', 'avatar'] as const) {
      const file = await fixture.upload(bytes.subarray(0, bytes.length * (1 - share)))
      await expect(fixture.images.store(file, purpose)).rejects.toMatchObject(notAnImage)
    }
  })

  test('a decompression bomb of 256 megapixels in 31 kB', async () => {
    await using fixture = await newImageFixture()
    const bomb = blackPng(16_000, 16_000)
    expect(bomb.length).toBeLessThan(33_000)

    await expect(fixture.images.store(await fixture.upload(bomb), 'photo')).rejects.toMatchObject(tooLarge)
    expect(await fixture.storedFiles()).toEqual([])
  })

  test('larger than 40 megapixels', async () => {
    await using fixture = await newImageFixture()
    const accepted = await fixture.upload(blackPng(8000, 5000))
    await expect(fixture.images.store(accepted, 'avatar')).resolves.toMatchObject({ width: 460 })

    const refused = await fixture.upload(blackPng(8000, 5001))
    await expect(fixture.images.store(refused, 'avatar')).rejects.toMatchObject(tooLarge)
  })

  test('larger than 40 megapixels in all frames together', async () => {
    await using fixture = await newImageFixture()
    const moving = await readFile(movingWebp)

    await expect(fixture.images.store(await fixture.upload(moving), 'photo')).rejects.toMatchObject(tooLarge)
  })

  test('larger than 10 MB', async () => {
    await using fixture = await newImageFixture()
    const padded = Buffer.alloc(10 * 1024 * 1024 + 1)
    await plain(400, 300)
      .jpeg()
      .toBuffer()
      .then((jpeg) => jpeg.copy(padded))
    const accepted = await fixture.upload(padded.subarray(0, -1))
    await expect(fixture.images.store(accepted, 'photo')).resolves.toMatchObject({ width: 400, height: 300 })

    const stored = await fixture.storedFiles()
    await expect(fixture.images.store(await fixture.upload(padded), 'photo')).rejects.toMatchObject(tooLarge)
    expect(await fixture.storedFiles()).toEqual(stored)
  })
})
