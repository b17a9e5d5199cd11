import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { decodeHeic } from './decode-heic.ts'

const file = fileURLToPath(import.meta.resolve('#test/fixtures/flat-4-megapixels.heic'))

test('decodes a HEIC photo to RGBA pixels', async () => {
  const pixels = await decodeHeic(file, 0)

  expect(pixels).toMatchObject({ width: 2400, height: 1800, channels: 4 })
  expect(pixels.data).toHaveLength(2400 * 1800 * 4)
})

test('refuses a HEIC photo with too many pixels', async () => {
  await expect(widthWithin({ pixels: 2400 * 1800 - 1 })).rejects.toThrow('too many pixels')
})

test('refuses a HEIC photo that needs too much memory', async () => {
  await expect(widthWithin({ memory: 20 * 1024 ** 2 })).rejects.toThrow('Aborted')
})

/** Returns only the width, because a failed expectation prints its value and millions of pixels would be too long. */
async function widthWithin(limits: Parameters<typeof decodeHeic>[2]): Promise<number> {
  return (await decodeHeic(file, 0, limits)).width
}
