import { expect, test } from 'vitest'
import { drawings } from '#contract/listings.ts'
import { pictureOf } from './listing-thumbnail.tsx'

const drawn = (drawing: (typeof drawings)[number] | null) =>
  pictureOf({ featured_image: null, image: null, drawing }).src

test('each drawing of the catalog has its own picture', () => {
  expect(new Set(drawings.map(drawn)).size).toBe(drawings.length)
})

test('a listing without a drawing shows a basket', () => {
  expect(drawn(null)).toBe(drawn('uncategorized'))
})
