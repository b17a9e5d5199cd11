import { z } from 'zod/mini'
import { type CategoryId, categoryName, limits } from '#contract/constants.ts'
import { type Want, type WantChanges, wantTitle } from '#contract/wants.ts'
import { type CategoryName, categoryIdOf, groupNames } from '#web/features/listings/categories.ts'

/** An item of the form. `saved` is the want on the server; an item without it is new. */
const wantItem = z
  .object({
    title: z.string(),
    saved: z.optional(z.object({ id: z.number(), title: z.string() })),
    /** True for a saved item that the next save deletes. */
    deleted: z.boolean(),
  })
  .check(
    // An empty item has no error, because a save leaves it out.
    z.superRefine((item, { addIssue }) => {
      const { error } = item.deleted || isEmpty(item) ? {} : wantTitle.safeParse(item.title)
      if (error) addIssue({ code: 'custom', path: ['title'], message: error.issues[0]?.message })
    }),
  )
const wantItems = z.array(wantItem)

export type WantItem = z.output<typeof wantItem>

/** The want list with its items by category. */
export const wantList = z.object({
  produce: wantItems,
  seeds: wantItems,
  plants: wantItems,
  uncategorized: wantItems,
})
export type WantList = Record<CategoryName, WantItem[]>

/** A suggested want: the words of a search without results. */
export type SuggestedWant = { readonly category_id: CategoryId | null; readonly title: string }

export function newItem(title = ''): WantItem {
  return { title, deleted: false }
}

/** Returns the form of the saved wants, with an empty item in each empty category. */
export function listOf(wants: readonly Want[]): WantList {
  return mapList((name) => wants.filter(isIn(name)).map(savedItem))
}

/** Puts a suggestion on an empty item or a new one, unless it is on the list already or the category is full. */
export function withSuggestion(list: WantList, { category_id, title }: SuggestedWant): WantList {
  const name = categoryName(category_id)
  const items = list[name]
  if (findItem(title, items) !== -1) return list
  const empty = items.findIndex((item) => !item.saved && isEmpty(item))
  if (empty !== -1) return { ...list, [name]: items.with(empty, newItem(title)) }
  return countKept(items) < limits.want.perCategory ? { ...list, [name]: [...items, newItem(title)] } : list
}

/** Returns the index of the item with this title, or -1. */
export function findItem(title: string, items: readonly WantItem[]): number {
  const words = title.trim().toLowerCase()
  return items.findIndex((item) => item.title.trim().toLowerCase() === words)
}

/** Counts the items that are not marked for deletion. */
export function countKept(items: readonly WantItem[]): number {
  return items.filter(({ deleted }) => !deleted).length
}

/** Returns whether the add button of a category is enabled: the last item is not empty, and there is room for another. */
export function canAdd(items: readonly WantItem[]): boolean {
  const last = items.at(-1)
  return last !== undefined && !isEmpty(last) && countKept(items) < limits.want.perCategory
}

/** Returns the changes that a save sends, in the order of the screen. A saved item that was emptied is removed. */
export function changesIn(list: WantList): WantChanges {
  const changes: WantChanges = { add: [], rename: [], remove: [] }
  for (const name of groupNames)
    for (const item of list[name]) {
      const { saved } = item
      const title = item.title.trim()
      if (item.deleted || title === '') changes.remove.push(...(saved ? [saved.id] : []))
      else if (saved === undefined) changes.add.push({ title, category_id: categoryIdOf(name) })
      else if (saved.title !== title) changes.rename.push({ id: saved.id, title })
    }
  return changes
}

export function hasChanges({ add, rename, remove }: WantChanges): boolean {
  return add.length + rename.length + remove.length > 0
}

export function isListEmpty(list: WantList): boolean {
  return groupNames.every((name) => list[name].every(isEmpty))
}

/**
 * Applies the edits of a form to the current wants. An item that was deleted elsewhere is removed, or becomes a new item if its title
 * was edited. A new item that the current wants have now is removed: it was saved, but the response was lost.
 */
export function rebase(list: WantList, wants: readonly Want[]): WantList {
  return mapList((name) => rebaseItems(list[name], wants.filter(isIn(name))))
}

function rebaseItems(items: readonly WantItem[], wants: readonly Want[]): WantItem[] {
  const current = new Map(wants.map((want) => [want.id, want]))
  const edited = items.flatMap((item): WantItem[] => {
    const { saved, title, deleted } = item
    if (!saved) return [item]
    const want = current.get(saved.id)
    current.delete(saved.id)
    if (want) return [{ ...savedItem(want), deleted, ...(title !== saved.title && { title }) }]
    return deleted || title.trim() === saved.title ? [] : [newItem(title)]
  })
  const added = [...current.values()].map(savedItem)
  const kept = edited.filter(({ saved, title }) => saved || findItem(title, added) === -1)
  const end = 1 + kept.findLastIndex(({ saved }) => saved)
  return [...kept.slice(0, end), ...added, ...kept.slice(end)]
}

export function isEmpty({ title }: WantItem): boolean {
  return title.trim() === ''
}

function savedItem({ id, title }: Want): WantItem {
  return { title, saved: { id, title }, deleted: false }
}

function isIn(name: CategoryName) {
  return ({ category_id }: Want) => categoryName(category_id) === name
}

/** Returns a list of these items, with an empty item in each empty category. */
function mapList(itemsOf: (name: CategoryName) => WantItem[]): WantList {
  const group = (name: CategoryName) => {
    const items = itemsOf(name)
    return items.length > 0 ? items : [newItem()]
  }
  return {
    produce: group('produce'),
    seeds: group('seeds'),
    plants: group('plants'),
    uncategorized: group('uncategorized'),
  }
}
