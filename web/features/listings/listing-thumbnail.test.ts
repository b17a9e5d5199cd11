import { expect, test } from 'vitest'
import { drawings } from '#contract/listings.ts'
import { pictureOf } from './listing-thumbnail.tsx'

test.each(drawings)('finds the file of the drawing %s', (drawing) => {
  expect(pictureOf({ featured_image: null, image: null, drawing }).src).toContain(`${drawing}.svg`)
})
