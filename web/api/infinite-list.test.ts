import { expect, test } from 'vitest'
import { itemsOf } from './infinite-list.ts'

test('shows an item once that has moved between the pages, at its first place', () => {
  const pages = [{ items: [{ id: 1 }, { id: 2 }] }, { items: [{ id: 3 }, { id: 1 }] }]
  expect(itemsOf(pages)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('shows all items that have no id', () => {
  expect(itemsOf([{ items: [{ want: 1 }, 5] }, { items: [{ want: 1 }, 5] }])).toEqual([
    { want: 1 },
    5,
    { want: 1 },
    5,
  ])
})
