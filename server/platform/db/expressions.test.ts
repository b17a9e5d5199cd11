import { expect, test } from 'vitest'
import { namesOf } from './expressions.ts'

test('a list of columns that lacks one, or has another, does not compile', () => {
  expect(namesOf<'title' | 'price' | 'search'>({ title: true, price: true, search: false })).toEqual([
    'title',
    'price',
  ])
  // @ts-expect-error The price is missing.
  expect(namesOf<'title' | 'price'>({ title: true })).toEqual(['title'])
  // @ts-expect-error There is no name.
  expect(namesOf<'title'>({ title: true, name: true })).toEqual(['title', 'name'])
})
