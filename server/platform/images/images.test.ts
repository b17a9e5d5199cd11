import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  colorAt,
  corners,
  cornersOf,
  croppedHeic,
  newImageFixture,
  plain,
  turnedHeic,
  upright,
} from '#test/image-fixture.ts'

describe('a photo', () => {
  test('is stored as WebP in four widths with its aspect ratio', async () => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload(await plain(2000, 1500).jpeg().toBuffer())

    const stored = await fixture.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 1200, height: 900, widths: [160, 320, 640, 1200] })
    for (const width of stored.widths) {
      const rendition = await sharp(await fixture.rendition({ name: stored.name, width })).metadata()
      expect(rendition).toMatchObject({ format: 'webp', width, height: (width * 3) / 4 })
    }
    expect(await fixture.storedFiles()).toHaveLength(4)
  })

  test.each([
    { original: [500, 300], stored: [500, 300], widths: [160, 320, 500] },
    { original: [320, 200], stored: [320, 200], widths: [160, 320] },
    { original: [1, 1], stored: [1, 1], widths: [1] },
    { original: [6000, 1], stored: [1200, 1], widths: [160, 320, 640, 1200] },
    { original: [1000, 20_000], stored: [120, 2400], widths: [120] },
  ])('of $original is not enlarged and has a limited height', async ({ original, stored, widths }) => {
    await using fixture = await newImageFixture()
    const [width = 0, height = 0] = original
    const file = await fixture.upload(await plain(width, height).png().toBuffer())

    expect(await fixture.images.store(file, 'photo')).toMatchObject({
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
  ])('as %s keeps its colors and orientation', async (_, encode) => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload(await encode(sharp(await corners(320, 240))).toBuffer())

    const stored = await fixture.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240 })
    expect(await cornersOf(await fixture.rendition(stored))).toEqual(upright)
  })

  test('in CMYK keeps its printable colors', async () => {
    await using fixture = await newImageFixture()
    const print = sharp(await corners(320, 240))
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
    const file = await fixture.upload(await print.toBuffer())
    expect(await sharp(file).metadata()).toMatchObject({ space: 'cmyk' })

    const [red, , , white] = await cornersOf(
      await fixture.rendition(await fixture.images.store(file, 'photo')),
    )

    expect([red, white]).toEqual(['100', '111'])
  })

  test('in grayscale stays white where it is white', async () => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload(await plain(300, 200, 'white').toColourspace('b-w').jpeg().toBuffer())

    const stored = await fixture.images.store(file, 'photo')

    expect(await colorAt(await fixture.rendition(stored), 150, 100)).toBe('111')
  })

  test('as rotated HEIC in Display P3 is stored upright and in sRGB', async () => {
    await using fixture = await newImageFixture()

    const stored = await fixture.images.store(turnedHeic, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240, widths: [160, 320] })
    expect(await cornersOf(await fixture.rendition(stored))).toEqual(upright)
  })

  test.each([
    ['300 × 300', (bytes: Buffer) => bytes, { width: 300, height: 300 }],
    ['2000 × 1500', (bytes: Buffer) => withClap(bytes, 2000, 1500), { width: 1200, height: 900 }],
  ])(
    'as HEIC of 2400 × 1800 pixels with a clean aperture of %s is cropped to it',
    async (_, change, size) => {
      await using fixture = await newImageFixture()
      const file = await fixture.upload(change(await readFile(croppedHeic)))

      await expect(fixture.images.store(file, 'photo')).resolves.toMatchObject(size)
    },
  )

  test.each([
    ['JPEG', 2, (picture: Sharp) => picture.jpeg()],
    ['JPEG', 1, (picture: Sharp) => picture.jpeg()],
    ['progressive JPEG', 2, (picture: Sharp) => picture.jpeg({ progressive: true })],
    ['PNG', 12, (picture: Sharp) => picture.png()],
  ])('as %s without the %i last bytes of its end marker is stored', async (_, missing, encode) => {
    await using fixture = await newImageFixture()
    const whole = await encode(sharp(await corners(320, 240))).toBuffer()
    const file = await fixture.upload(whole.subarray(0, -missing))

    const stored = await fixture.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240 })
    expect(await cornersOf(await fixture.rendition(stored))).toEqual(upright)
  })

  test.each([
    [3, (picture: Sharp) => picture.rotate(180)],
    [6, (picture: Sharp) => picture.rotate(270)],
    [7, (picture: Sharp) => picture.flop().rotate(90)],
    [8, (picture: Sharp) => picture.rotate(90)],
  ])('with EXIF orientation %i is stored upright', async (orientation, turn) => {
    await using fixture = await newImageFixture()
    const turned = sharp(
      await turn(sharp(await corners(320, 240)))
        .png()
        .toBuffer(),
    )
    const file = await fixture.upload(
      await turned.withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer(),
    )

    const stored = await fixture.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 320, height: 240 })
    expect(await cornersOf(await fixture.rendition(stored))).toEqual(upright)
  })

  test('is stored without location, camera and other metadata', async () => {
    await using fixture = await newImageFixture()
    const original = await plain(400, 300)
      .withExif({
        IFD0: { Model: 'Garden Phone' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- Garden Phone --></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect(await sharp(original).metadata()).toMatchObject({
      exif: expect.anything(),
      xmp: expect.anything(),
      icc: expect.anything(),
    })

    for (const file of [await fixture.upload(original), turnedHeic]) {
      const stored = await fixture.images.store(file, 'photo')
      const rendition = await fixture.rendition(stored)
      const { exif, xmp, icc } = await sharp(rendition).metadata()

      expect({ exif, xmp, icc }).toEqual({})
      expect(rendition.includes('Garden Phone')).toBe(false)
    }
  })

  test('is stored without appended bytes', async () => {
    await using fixture = await newImageFixture()
    const script = '<script>alert(1)</script>'
    const file = await fixture.upload(
      Buffer.concat([await plain(400, 300).jpeg().toBuffer(), Buffer.from(script)]),
    )

    const stored = await fixture.images.store(file, 'photo')

    for (const width of stored.widths) {
      expect((await fixture.rendition({ name: stored.name, width })).includes(script)).toBe(false)
    }
  })

  test('has a white background where it is transparent', async () => {
    await using fixture = await newImageFixture()
    const clear = sharp({ create: { width: 200, height: 100, channels: 4, background: '#00000000' } })
    const file = await fixture.upload(await clear.png().toBuffer())

    const stored = await fixture.images.store(file, 'photo')

    expect(await colorAt(await fixture.rendition(stored), 100, 50)).toBe('111')
  })

  test('with animation is stored as its first frame', async () => {
    await using fixture = await newImageFixture()
    const frames = await Promise.all(['#f00', '#00f'].map((color) => plain(200, 100, color).png().toBuffer()))
    const file = await fixture.upload(
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    )
    expect(await sharp(file).metadata()).toMatchObject({ pages: 2 })

    const stored = await fixture.images.store(file, 'photo')

    expect(stored).toMatchObject({ width: 200, height: 100 })
    expect(await colorAt(await fixture.rendition(stored), 100, 50)).toBe('100')
  })

  test('has a placeholder of at most 300 bytes', async () => {
    await using fixture = await newImageFixture()
    const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
    const busy = sharp({ create: { width: 12, height: 12, channels: 3, background: 'white', noise } })
    const file = await fixture.upload(await busy.png().toBuffer())

    const { placeholder } = await fixture.images.store(file, 'photo')

    const [head, base64 = ''] = placeholder.split(',')
    expect(head).toBe('data:image/webp;base64')
    expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ width: 12, height: 12 })
    expect(placeholder.length).toBeLessThanOrEqual(300)
  })

  test('is recognized by its bytes, not by its file name', async () => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload(await plain(200, 100).png().toBuffer(), 'photo.jpg')

    expect(await fixture.images.store(file, 'photo')).toMatchObject({ width: 200, height: 100 })
  })
})

/** Changes the width and height of the clean aperture in a HEIC. */
function withClap(heic: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(heic)
  const at = changed.indexOf('clap') + 4
  changed.writeUInt32BE(width, at)
  changed.writeUInt32BE(height, at + 8)
  return changed
}

describe('an avatar', () => {
  test.each([
    { original: [800, 600] },
    { original: [300, 200] },
    { original: [50, 80] },
    { original: [60_000, 1] },
  ])('of $original is stored as squares of 96 and 460 pixels', async ({ original }) => {
    const widths = [96, 460]
    await using fixture = await newImageFixture()
    const [width = 0, height = 0] = original
    const file = await fixture.upload(await plain(width, height).jpeg().toBuffer())

    const stored = await fixture.images.store(file, 'avatar')

    expect(stored).toMatchObject({ width: 460, height: 460, widths })
    for (const width of widths) {
      const rendition = await sharp(await fixture.rendition({ name: stored.name, width })).metadata()
      expect(rendition).toMatchObject({ width, height: width })
    }
  })

  test('is rotated before it is cropped', async () => {
    await using fixture = await newImageFixture()
    const turned = sharp(
      await sharp(await corners(300, 300))
        .rotate(270)
        .png()
        .toBuffer(),
    )
    const file = await fixture.upload(
      await turned.withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(),
    )

    const stored = await fixture.images.store(file, 'avatar')

    expect(await cornersOf(await fixture.rendition(stored))).toEqual(upright)
  })
})
