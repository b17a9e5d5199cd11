import { describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import {
  canAdd,
  changesIn,
  findItem,
  hasChanges,
  listOf,
  newItem,
  rebase,
  type WantItem,
  wantList,
  withSuggestion,
} from './want-items.ts'

const { produce, seeds, plants } = categories
const fig: Want = { id: 1, title: 'Figs', category_id: produce, listing_count: 0 }
const crown: Want = { id: 2, title: 'Rhubarb crown', category_id: plants, listing_count: 2 }
const bricks: Want = { id: 3, title: 'Old bricks', category_id: null, listing_count: null }

const saved = ({ id, title }: Want, change: Partial<WantItem> = {}): WantItem => ({
  title,
  saved: { id, title },
  deleted: false,
  ...change,
})
const titlesOf = (items: readonly WantItem[]) => items.map(({ title }) => title)
const five = Array.from({ length: 5 }, (_, index) => newItem(`Crop ${index}`))

test('the form starts with the saved wants and an empty item in each empty category', () => {
  const list = listOf([crown, fig])

  expect(list).toEqual({
    produce: [saved(fig)],
    seeds: [newItem()],
    plants: [saved(crown)],
    uncategorized: [newItem()],
  })
  expect(hasChanges(changesIn(list))).toBe(false)
})

describe('a suggestion from a search', () => {
  test('fills the empty item of its category, or a new one', () => {
    const list = listOf([fig])
    expect(titlesOf(withSuggestion(list, { title: 'Salsify', category_id: seeds }).seeds)).toEqual([
      'Salsify',
    ])
    expect(titlesOf(withSuggestion(list, { title: 'Salsify', category_id: null }).uncategorized)).toEqual([
      'Salsify',
    ])
    const after = withSuggestion(list, { title: 'Salsify', category_id: produce })
    expect(titlesOf(after.produce)).toEqual(['Figs', 'Salsify'])
    expect(changesIn(after).add).toEqual([{ title: 'Salsify', category_id: produce }])
  })

  test('is not added twice, and not to a full category', () => {
    const list = listOf([fig])
    expect(withSuggestion(list, { title: 'figs', category_id: produce })).toEqual(list)
    const full = { ...list, produce: five }
    expect(withSuggestion(full, { title: 'Salsify', category_id: produce })).toEqual(full)
    expect(findItem('crop 2', five)).toBe(2)
  })
})

describe('the add button', () => {
  test('is disabled while the last item is empty', () => {
    expect(canAdd([newItem()])).toBe(false)
    expect(canAdd([newItem('Figs'), newItem('  ')])).toBe(false)
    expect(canAdd([newItem(), newItem('Figs')])).toBe(true)
  })

  test('is disabled at five items; those marked for deletion do not count', () => {
    expect(canAdd(five.slice(1))).toBe(true)
    expect(canAdd(five)).toBe(false)
    expect(canAdd(five.map((item, index) => ({ ...item, deleted: index === 0 })))).toBe(true)
  })
})

test('an item needs three characters unless it is empty or marked for deletion', () => {
  const errorOf = (change: Partial<WantItem>) => {
    const list = { ...listOf([]), seeds: [newItem(), { ...newItem(' ab '), ...change }] }
    return wantList.safeParse(list).error?.issues.map(({ path, message }) => [path.join('.'), message])
  }

  expect(errorOf({})).toEqual([['seeds.1.title', 'Each item must have at least 3 characters']])
  expect(errorOf({ title: 'abc' })).toBeUndefined()
  expect(errorOf({ title: '   ' })).toBeUndefined()
  expect(errorOf({ deleted: true })).toBeUndefined()
  expect(errorOf({ title: 'a'.repeat(81) })).toEqual([
    ['seeds.1.title', 'Each item must have at most 80 characters'],
  ])
})

test('a save adds new items in screen order, renames edited ones, and removes marked and emptied ones', () => {
  const list = {
    produce: [saved(fig, { title: ' Black figs ' }), newItem(' Quinces '), newItem()],
    seeds: [newItem()],
    plants: [saved(crown, { deleted: true }), newItem('Lemon verbena')],
    uncategorized: [saved(bricks, { title: '  ' })],
  }

  expect(changesIn(list)).toEqual({
    add: [
      { title: 'Quinces', category_id: produce },
      { title: 'Lemon verbena', category_id: plants },
    ],
    rename: [{ id: 1, title: 'Black figs' }],
    remove: [2, 3],
  })
})

describe('when the list has changed on the server', () => {
  test('edits and deletion marks are applied to the new list', () => {
    const list = {
      ...listOf([]),
      produce: [saved(fig, { title: 'Black figs' })],
      plants: [saved(crown, { deleted: true })],
      seeds: [newItem('Poppies')],
    }
    const rebased = rebase(list, [{ ...fig, title: 'Green figs' }, crown, bricks])

    expect(changesIn(rebased)).toEqual({
      add: [{ title: 'Poppies', category_id: seeds }],
      rename: [{ id: 1, title: 'Black figs' }],
      remove: [2],
    })
    expect(titlesOf(rebased.uncategorized)).toEqual(['Old bricks', ''])
  })

  test('a new item that is on the list now is removed', () => {
    const list = { ...listOf([fig]), plants: [newItem(' rhubarb Crown ')], seeds: [newItem('Figs')] }
    const rebased = rebase(list, [fig, crown])

    expect(changesIn(rebased).add).toEqual([{ title: 'Figs', category_id: seeds }])
    expect(rebased.plants).toEqual([saved(crown)])
  })

  test('an item that was deleted elsewhere is removed, or becomes a new one if it was edited', () => {
    const list = { ...listOf([fig, crown]), produce: [saved(fig, { title: 'Black figs' })] }
    const rebased = rebase(list, [])

    expect(changesIn(rebased)).toEqual({
      add: [{ title: 'Black figs', category_id: produce }],
      rename: [],
      remove: [],
    })
    expect(rebased.plants).toEqual([newItem()])
    const marked = { ...list, produce: [saved(fig, { title: 'Black figs', deleted: true })] }
    expect(hasChanges(changesIn(rebase(marked, [])))).toBe(false)
  })

  test('a trailing space is kept while the title is being typed', () => {
    const list = { ...listOf([fig]), produce: [saved(fig, { title: 'Figs ' })] }
    expect(titlesOf(rebase(list, [fig]).produce)).toEqual(['Figs '])
  })
})
