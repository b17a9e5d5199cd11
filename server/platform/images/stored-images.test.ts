import { copyFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { newImageFixture, plain, turnedHeic } from '#test/image-fixture.ts'
import { startS3Server } from '#test/s3-server.ts'
import { createImages, renditionFile } from './images.ts'
import { openS3Storage } from './s3-storage.ts'

describe('a stored image', () => {
  test('has a random name of 128 bits', async () => {
    await using fixture = await newImageFixture()
    const file = await fixture.upload(await plain(100, 100).png().toBuffer())

    const [first, second] = [
      await fixture.images.store(file, 'photo'),
      await fixture.images.store(file, 'photo'),
    ]

    expect(Buffer.from(first.name, 'base64url')).toHaveLength(16)
    expect(first.name).not.toBe(second.name)
  })

  test('opens as WebP with its size', async () => {
    await using fixture = await newImageFixture()
    const stored = await fixture.images.store(
      await fixture.upload(await plain(100, 100).png().toBuffer()),
      'photo',
    )

    const found = await fixture.images.open(renditionFile(stored.name, 100))

    expect(found).toMatchObject({ type: 'image/webp', size: expect.any(Number) })
    expect(found && (await buffer(found.stream))).toHaveLength(found?.size ?? 0)
  })

  test('opens as JPEG in each stored width for mail programs', async () => {
    await using fixture = await newImageFixture()
    const { name } = await fixture.images.store(
      await fixture.upload(await plain(400, 300).png().toBuffer()),
      'photo',
    )
    for (const _ of ['converted', 'cached']) {
      const found = await fixture.images.open(renditionFile(name, 160, 'jpg'))
      expect(found?.type).toBe('image/jpeg')
      const bytes = found && (await buffer(found.stream))
      expect(bytes).toHaveLength(found?.size ?? 0)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 160, height: 120 })
    }
    expect(await fixture.images.open(renditionFile(name, 161, 'jpg'))).toBeUndefined()
  })

  test('is deleted with all renditions when it is removed', async () => {
    await using fixture = await newImageFixture()
    const { name, widths } = await fixture.images.store(
      await fixture.upload(await plain(400, 300).png().toBuffer()),
      'photo',
    )
    const jpeg = await fixture.images.open(renditionFile(name, 160, 'jpg'))
    jpeg?.stream.destroy()

    await fixture.images.remove(name, widths)

    expect(await fixture.storedFiles()).toEqual([])
    expect(await fixture.images.open(renditionFile(name, 160))).toBeUndefined()
    expect(await fixture.images.open(renditionFile(name, 160, 'jpg'))).toBeUndefined()
  })

  test('opens only by the name of a rendition', async () => {
    await using fixture = await newImageFixture()
    const { name } = await fixture.images.store(
      await fixture.upload(await plain(160, 90).png().toBuffer()),
      'photo',
    )
    const good = renditionFile(name, 160)
    await fixture.storage.put('compost.txt', Buffer.from('ours'), 'text/plain')
    await copyFile(turnedHeic, await fixture.upload('', good))

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
      expect(await fixture.images.open(file), file).toBeUndefined()
    }
    const found = await fixture.images.open(good)
    found?.stream.destroy()
    expect(found?.size).toBeGreaterThan(0)
  })

  test('is stored with all renditions or not at all', async () => {
    await using fixture = await newImageFixture()
    await using s3 = await startS3Server('gardener')
    const images = createImages({
      decoders: fixture.decoders,
      storage: await openS3Storage({
        bucket: 'garden',
        region: 'eu-central-1',
        endpoint: s3.endpoint,
        pathStyle: true,
        credentials: { accessKeyId: 'gardener', secretAccessKey: 'compost' },
      }),
    })
    const file = await fixture.upload(await plain(1200, 900).jpeg().toBuffer())
    s3.refusePut = (path) => path.endsWith('-640.webp')

    await expect(images.store(file, 'photo', 'ann')).rejects.toMatchObject({ name: 'QuotaExceeded' })
    expect(s3.objects.size).toBe(0)

    s3.refusePut = () => false
    await images.store(file, 'photo', 'ann')
    expect(s3.objects.size).toBe(4)
  })
})
