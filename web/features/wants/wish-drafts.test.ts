import { describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import {
  canAdd,
  changesIn,
  type Draft,
  isNothing,
  itemOf,
  mistakeIn,
  newDraft,
  rebased,
  shownIn,
  starting,
  takenUp,
  withWish,
} from './wish-drafts.ts'

const { produce, seeds, plants } = categories
const fig: Want = { id: 1, title: 'Figs', category_id: produce, listing_count: 0 }
const crown: Want = { id: 2, title: 'Rhubarb crown', category_id: plants, listing_count: 2 }
const bricks: Want = { id: 3, title: 'Old bricks', category_id: null, listing_count: null }

const write = (drafts: readonly Draft[], id: number, change: Partial<Draft>) =>
  drafts.map((draft) => (draft.saved?.id === id ? { ...draft, ...change } : draft))

test('a session starts with what is saved, and a line to write on in every other category', () => {
  const drafts = starting([crown, fig])

  expect(drafts.map(({ title, category_id }) => [category_id, title])).toEqual([
    [plants, 'Rhubarb crown'],
    [produce, 'Figs'],
    [seeds, ''],
    [null, ''],
  ])
  expect(isNothing(changesIn(drafts))).toBe(true)
})

describe('what was searched for in vain', () => {
  const titlesOf = (drafts: readonly Draft[], category: Draft['category_id']) =>
    shownIn(category, drafts).map(({ title }) => title)

  test('stands on the empty line of its category, or on one more', () => {
    const begun = starting([fig])
    expect(titlesOf(withWish(begun, { title: 'Salsify', category_id: seeds }), seeds)).toEqual(['Salsify'])
    expect(titlesOf(withWish(begun, { title: 'Salsify', category_id: null }), null)).toEqual(['Salsify'])
    const after = withWish(begun, { title: 'Salsify', category_id: produce })
    expect(titlesOf(after, produce)).toEqual(['Figs', 'Salsify'])
    expect(changesIn(after).add).toEqual([{ title: 'Salsify', category_id: produce }])
  })

  test('not twice, and no sixth', () => {
    const begun = starting([fig])
    expect(withWish(begun, { title: 'figs', category_id: produce })).toEqual(begun)
    const full = Array.from({ length: 5 }, (_, turn) => newDraft(produce, `Crop ${turn}`))
    expect(withWish(full, { title: 'Salsify', category_id: produce })).toEqual(full)
    expect(itemOf({ title: 'crop 2', category_id: produce }, full)).toBe(full[2])
  })
})

describe('the add button', () => {
  const five = Array.from({ length: 5 }, (_, turn) => newDraft(produce, `Crop ${turn}`))

  test('waits for the last item to be written', () => {
    expect(canAdd([newDraft(produce)])).toBe(false)
    expect(canAdd([newDraft(produce, 'Figs'), newDraft(produce, '  ')])).toBe(false)
    expect(canAdd([newDraft(produce), newDraft(produce, 'Figs')])).toBe(true)
  })

  test('ends at five, of which those marked for deletion are none', () => {
    expect(canAdd(five.slice(1))).toBe(true)
    expect(canAdd(five)).toBe(false)
    expect(canAdd(five.map((draft, turn) => ({ ...draft, deleted: turn === 0 })))).toBe(true)
  })
})

test('an item needs three letters, unless it is empty or goes', () => {
  const draft = newDraft(seeds, ' ab ')

  expect(mistakeIn(draft)).toBe('Each item must have at least 3 characters')
  expect(mistakeIn({ ...draft, title: 'abc' })).toBeUndefined()
  expect(mistakeIn({ ...draft, title: '   ' })).toBeUndefined()
  expect(mistakeIn({ ...draft, deleted: true })).toBeUndefined()
  expect(mistakeIn({ ...draft, title: 'a'.repeat(81) })).toBe('Each item must have at most 80 characters')
})

test('what is new is added in the order of the screen, what was rewritten is renamed, what is marked or emptied is removed', () => {
  const drafts = [
    ...write(write(starting([fig, crown, bricks]), 1, { title: ' Black figs ' }), 2, { deleted: true }),
    newDraft(plants, 'Lemon verbena'),
    newDraft(produce, ' Quinces '),
    newDraft(produce),
  ]

  expect(changesIn(write(drafts, 3, { title: '  ' }))).toEqual({
    add: [
      { title: 'Quinces', category_id: produce },
      { title: 'Lemon verbena', category_id: plants },
    ],
    rename: [{ id: 1, title: 'Black figs' }],
    remove: [2, 3],
  })
})

describe('when the wish list has changed elsewhere', () => {
  test('what was typed and marked stays, on top of what is there now', () => {
    const drafts = [
      ...write(write(starting([fig, crown]), 1, { title: 'Black figs' }), 2, { deleted: true }),
      newDraft(seeds, 'Poppies'),
    ]
    const now = rebased(drafts, [{ ...fig, title: 'Green figs' }, crown, bricks])

    expect(changesIn(now)).toEqual({
      add: [{ title: 'Poppies', category_id: seeds }],
      rename: [{ id: 1, title: 'Black figs' }],
      remove: [2],
    })
    expect(shownIn(null, now)).toMatchObject([{ title: 'Old bricks' }, { title: '' }])
  })

  test('an item that is gone goes, unless it has new words: then it is a new one', () => {
    const drafts = write(starting([fig, crown]), 1, { title: 'Black figs' })
    const now = rebased(drafts, [])

    expect(changesIn(now)).toEqual({
      add: [{ title: 'Black figs', category_id: produce }],
      rename: [],
      remove: [],
    })
    expect(shownIn(plants, now)).toMatchObject([{ title: '' }])
    expect(changesIn(rebased(write(drafts, 1, { deleted: true }), []))).toEqual({
      add: [],
      rename: [],
      remove: [],
    })
  })
})

test('a session that was left is taken up where it was; what is no item of one is left out', () => {
  const drafts = [
    ...write(write(starting([fig, crown]), 1, { title: 'Black figs' }), 2, { deleted: true }),
    newDraft(seeds, 'Poppies'),
  ]
  const kept: unknown = JSON.parse(JSON.stringify(drafts))
  const again = takenUp(kept)

  expect(changesIn(again)).toEqual(changesIn(drafts))
  expect(again.map(({ saved }) => saved?.id)).toEqual([1, 2, undefined, undefined, undefined])
  expect(new Set([...again, newDraft(seeds)].map(({ key }) => key)).size).toBe(again.length + 1)
  for (const nonsense of [undefined, null, 'figs', {}, [null, 7, {}, { ...newDraft(seeds), category_id: 9 }]])
    expect(takenUp(nonsense)).toEqual([])
})
