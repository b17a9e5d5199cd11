import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { decodeHeic } from './decode-heic.ts'

const file = fileURLToPath(import.meta.resolve('#test/fixtures/flat-4-megapixels.heic'))

test('a HEIC photo becomes pixels', async () => {
  const pixels = await decodeHeic(file, 0)

  expect(pixels).toMatchObject({ width: 2400, height: 1800, channels: 4 })
  expect(pixels.data).toHaveLength(2400 * 1800 * 4)
})

test('a HEIC photo of more pixels than allowed is not decoded', async () => {
  await expect(widthWithin({ pixels: 2400 * 1800 - 1 })).rejects.toThrow('too many pixels')
})

test('a HEIC photo that takes more memory than allowed is given up', async () => {
  await expect(widthWithin({ memory: 20 * 1024 ** 2 })).rejects.toThrow('HEIF processing error')
})

/** A failed expectation prints what it got: better the width than millions of pixels. */
async function widthWithin(limits: Parameters<typeof decodeHeic>[2]): Promise<number> {
  return (await decodeHeic(file, 0, limits)).width
}
