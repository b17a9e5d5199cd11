import { describe, expect, test } from 'vitest'
import { categories } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import {
  canAdd,
  changesIn,
  errorIn,
  findDraft,
  hasChanges,
  inCategory,
  newDraft,
  rebase,
  restoreDrafts,
  startDrafts,
  storedDrafts,
  type WantDraft,
  withNew,
  withSuggestion,
} from './want-drafts.ts'

const { produce, seeds, plants } = categories
const fig: Want = { id: 1, title: 'Figs', category_id: produce, listing_count: 0 }
const crown: Want = { id: 2, title: 'Rhubarb crown', category_id: plants, listing_count: 2 }
const bricks: Want = { id: 3, title: 'Old bricks', category_id: null, listing_count: null }

/** Changes the draft of the want with this id. */
const edit = (drafts: readonly WantDraft[], id: number, change: Partial<WantDraft>) =>
  drafts.map((draft) => (draft.saved?.id === id ? { ...draft, ...change } : draft))

test('an edit session starts with the saved wants and an empty line in each empty category', () => {
  const drafts = startDrafts([crown, fig])

  expect(drafts.map(({ title, category_id }) => [category_id, title])).toEqual([
    [plants, 'Rhubarb crown'],
    [produce, 'Figs'],
    [seeds, ''],
    [null, ''],
  ])
  expect(hasChanges(changesIn(drafts))).toBe(false)
})

describe('a suggestion from a search', () => {
  const titlesOf = (drafts: readonly WantDraft[], category: WantDraft['category_id']) =>
    inCategory(category, drafts).map(({ title }) => title)

  test('fills the empty line of its category, or a new line', () => {
    const initial = startDrafts([fig])
    expect(titlesOf(withSuggestion(initial, { title: 'Salsify', category_id: seeds }), seeds)).toEqual([
      'Salsify',
    ])
    expect(titlesOf(withSuggestion(initial, { title: 'Salsify', category_id: null }), null)).toEqual([
      'Salsify',
    ])
    const after = withSuggestion(initial, { title: 'Salsify', category_id: produce })
    expect(titlesOf(after, produce)).toEqual(['Figs', 'Salsify'])
    expect(changesIn(after).add).toEqual([{ title: 'Salsify', category_id: produce }])
  })

  test('is not added twice, and not to a full category', () => {
    const initial = startDrafts([fig])
    expect(withSuggestion(initial, { title: 'figs', category_id: produce })).toEqual(initial)
    const full = Array.from({ length: 5 }, (_, index) => newDraft([], produce, `Crop ${index}`))
    expect(withSuggestion(full, { title: 'Salsify', category_id: produce })).toEqual(full)
    expect(findDraft({ title: 'crop 2', category_id: produce }, full)).toBe(full[2])
  })
})

describe('the add button', () => {
  const five = Array.from({ length: 5 }, (_, index) => newDraft([], produce, `Crop ${index}`))

  test('is disabled while the last item is empty', () => {
    expect(canAdd([newDraft([], produce)])).toBe(false)
    expect(canAdd([newDraft([], produce, 'Figs'), newDraft([], produce, '  ')])).toBe(false)
    expect(canAdd([newDraft([], produce), newDraft([], produce, 'Figs')])).toBe(true)
  })

  test('is disabled at five items; those marked for deletion do not count', () => {
    expect(canAdd(five.slice(1))).toBe(true)
    expect(canAdd(five)).toBe(false)
    expect(canAdd(five.map((draft, index) => ({ ...draft, deleted: index === 0 })))).toBe(true)
  })
})

test('an item needs three characters unless it is empty or marked for deletion', () => {
  const draft = newDraft([], seeds, ' ab ')

  expect(errorIn(draft)).toBe('Each item must have at least 3 characters')
  expect(errorIn({ ...draft, title: 'abc' })).toBeUndefined()
  expect(errorIn({ ...draft, title: '   ' })).toBeUndefined()
  expect(errorIn({ ...draft, deleted: true })).toBeUndefined()
  expect(errorIn({ ...draft, title: 'a'.repeat(81) })).toBe('Each item must have at most 80 characters')
})

test('a save adds new items in screen order, renames edited ones, and removes marked and emptied ones', () => {
  const drafts = [
    ...edit(edit(startDrafts([fig, crown, bricks]), 1, { title: ' Black figs ' }), 2, { deleted: true }),
    newDraft([], plants, 'Lemon verbena'),
    newDraft([], produce, ' Quinces '),
    newDraft([], produce),
  ]

  expect(changesIn(edit(drafts, 3, { title: '  ' }))).toEqual({
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
    const drafts = [
      ...edit(edit(startDrafts([fig, crown]), 1, { title: 'Black figs' }), 2, { deleted: true }),
      newDraft([], seeds, 'Poppies'),
    ]
    const rebased = rebase(drafts, [{ ...fig, title: 'Green figs' }, crown, bricks])

    expect(changesIn(rebased)).toEqual({
      add: [{ title: 'Poppies', category_id: seeds }],
      rename: [{ id: 1, title: 'Black figs' }],
      remove: [2],
    })
    expect(inCategory(null, rebased)).toMatchObject([{ title: 'Old bricks' }, { title: '' }])
  })

  test('a new item that is on the list now is removed', () => {
    const drafts = [
      ...startDrafts([fig]),
      newDraft([], plants, ' rhubarb Crown '),
      newDraft([], seeds, 'Figs'),
    ]
    const rebased = rebase(drafts, [fig, crown])

    expect(changesIn(rebased).add).toEqual([{ title: 'Figs', category_id: seeds }])
    expect(inCategory(plants, rebased)).toMatchObject([{ title: 'Rhubarb crown' }, { title: '' }])
  })

  test('an item that was deleted elsewhere is removed, or becomes a new one if it was edited', () => {
    const drafts = edit(startDrafts([fig, crown]), 1, { title: 'Black figs' })
    const rebased = rebase(drafts, [])

    expect(changesIn(rebased)).toEqual({
      add: [{ title: 'Black figs', category_id: produce }],
      rename: [],
      remove: [],
    })
    expect(inCategory(plants, rebased)).toMatchObject([{ title: '' }])
    expect(changesIn(rebase(edit(drafts, 1, { deleted: true }), []))).toEqual({
      add: [],
      rename: [],
      remove: [],
    })
  })
})

test('a trailing space is kept while the title is being typed', () => {
  expect(rebase(edit(startDrafts([fig]), 1, { title: 'Figs ' }), [fig])).toMatchObject([
    { title: 'Figs ' },
    {},
    {},
    {},
  ])
})

test('a stored edit session is continued with unique keys', () => {
  const drafts = [
    ...edit(edit(startDrafts([fig, crown]), 1, { title: 'Black figs' }), 2, { deleted: true }),
    newDraft([], seeds, 'Poppies'),
  ]
  const restored = restoreDrafts(storedDrafts.parse(JSON.parse(JSON.stringify(drafts))))

  expect(changesIn(restored)).toEqual(changesIn(drafts))
  expect(restored.map(({ saved }) => saved?.id)).toEqual([1, 2, undefined, undefined, undefined])
  expect(new Set(withNew(restored, seeds).map(({ key }) => key)).size).toBe(restored.length + 1)
})
