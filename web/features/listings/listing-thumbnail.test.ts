import { expect, test } from 'vitest'
import { drawings } from '#contract/listings.ts'
import { pictureOf } from './listing-thumbnail.tsx'

test.each(drawings)('the drawing %s has its file', (drawing) => {
  expect(pictureOf({ featured_image: null, image: null, drawing }).src).toContain(`${drawing}.svg`)
})
