import { expect, test } from 'vitest'
import { image } from '#contract/constants.ts'
import { encodeToFit, fittingSize, qualities } from './fit-image.ts'

const { maxBytes } = image.prepared

test.each([
  [
    { width: 4000, height: 3000 },
    { width: 1920, height: 1440 },
  ],
  [
    { width: 1000, height: 5000 },
    { width: 384, height: 1920 },
  ],
  [
    { width: 1920, height: 10 },
    { width: 1920, height: 10 },
  ],
  [
    { width: 800, height: 600 },
    { width: 800, height: 600 },
  ],
  [
    { width: 1, height: 9000 },
    { width: 1, height: 1920 },
  ],
])('fits %o as %o: no side above 1920, never enlarged', (size, fitting) => {
  expect(fittingSize(size)).toEqual(fitting)
})

test('lowers the quality from 0.9 by 0.1 down to 0.2', () => {
  expect(qualities()).toEqual([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2])
})

test('returns the first encoding of at most 3 MB', async () => {
  const tried: number[] = []
  const encoded = await encodeToFit(async (quality) => {
    tried.push(quality)
    return blobOf(quality > 0.7 ? maxBytes + 1 : maxBytes)
  }, ignoreProgress)
  expect(encoded?.size).toBe(maxBytes)
  expect(tried).toEqual([0.9, 0.8, 0.7])
})

test('returns nothing when no encoding is small enough', async () => {
  const reported: number[] = []
  const encoded = await encodeToFit(
    async () => blobOf(maxBytes + 1),
    (done) => reported.push(done),
  )
  expect(encoded).toBeUndefined()
  expect(reported.at(-1)).toBe(1)
})

function blobOf(bytes: number) {
  return new Blob([new Uint8Array(bytes)])
}

function ignoreProgress() {}
