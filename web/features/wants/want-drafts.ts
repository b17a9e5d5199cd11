import { z } from 'zod/mini'
import { type CategoryId, categories, limits } from '#contract/constants.ts'
import { type Want, type WantChanges, wantTitle } from '#contract/wants.ts'

/** The categories in the order of the screens. */
export const wantCategories: readonly (CategoryId | null)[] = [
  categories.produce,
  categories.seeds,
  categories.plants,
  null,
]

/** The stored drafts of an edit session. */
export const storedDrafts = z.array(
  z.object({
    category_id: z.nullable(z.literal(Object.values(categories))),
    title: z.string(),
    saved: z.optional(z.object({ id: z.number(), title: z.string() })),
    deleted: z.boolean(),
  }),
)

/** An item of an edit session. `saved` is the want on the server; an item without it is new. */
export interface WantDraft {
  readonly key: string
  readonly category_id: CategoryId | null
  readonly title: string
  readonly saved?: { readonly id: number; readonly title: string }
  /** A saved item that is deleted by the next save. */
  readonly deleted: boolean
}

/** A suggested want: the words of a search without results. */
export type SuggestedWant = Pick<WantDraft, 'category_id' | 'title'>

function savedDraft({ id, title, category_id }: Want): WantDraft {
  return { key: `want-${id}`, category_id, title, saved: { id, title }, deleted: false }
}

/** Returns a new item whose key none of the drafts has. */
export function newDraft(
  drafts: readonly WantDraft[],
  category_id: CategoryId | null,
  title = '',
): WantDraft {
  const numbers = drafts.map(({ key }) => Number(/^new-(\d+)$/.exec(key)?.[1] ?? 0))
  return { key: `new-${Math.max(0, ...numbers) + 1}`, category_id, title, deleted: false }
}

/** Returns the drafts with a new item. */
export function withNew(
  drafts: readonly WantDraft[],
  category_id: CategoryId | null,
  title = '',
): WantDraft[] {
  return [...drafts, newDraft(drafts, category_id, title)]
}

/** Starts an edit session with the saved wants and an empty line in each empty category. */
export function startDrafts(wants: readonly Want[]): WantDraft[] {
  return withEmptyLines(wants.map(savedDraft))
}

/** Continues a stored edit session. */
export function restoreDrafts(stored: z.output<typeof storedDrafts>): WantDraft[] {
  const drafts: WantDraft[] = []
  for (const { saved, category_id, title, deleted } of stored)
    drafts.push(
      saved
        ? { key: `want-${saved.id}`, category_id, title, saved, deleted }
        : newDraft(drafts, category_id, title),
    )
  return drafts
}

/** Adds an empty line to each empty category. */
export function withEmptyLines(drafts: readonly WantDraft[]): WantDraft[] {
  return wantCategories
    .filter((category) => inCategory(category, drafts).length === 0)
    .reduce<WantDraft[]>((all, category) => withNew(all, category), [...drafts])
}

/** Puts a suggestion on an empty line or a new one, unless it is on the list already or the category is full. */
export function withSuggestion(drafts: readonly WantDraft[], suggested: SuggestedWant): WantDraft[] {
  const { category_id, title } = suggested
  const items = inCategory(category_id, drafts)
  const line = items.find((draft) => !draft.saved && isEmpty(draft))
  const isFull = !line && countKept(items) >= limits.want.perCategory
  if (findDraft(suggested, drafts) || isFull) return [...drafts]
  return line
    ? drafts.map((draft) => (draft === line ? { ...line, title } : draft))
    : withNew(drafts, category_id, title)
}

export function findDraft(
  { category_id, title }: SuggestedWant,
  drafts: readonly WantDraft[],
): WantDraft | undefined {
  const words = title.trim().toLowerCase()
  return inCategory(category_id, drafts).find((draft) => draft.title.trim().toLowerCase() === words)
}

export function inCategory(category_id: CategoryId | null, drafts: readonly WantDraft[]): WantDraft[] {
  return drafts.filter((draft) => draft.category_id === category_id)
}

/** Counts the items that are not marked for deletion. */
export function countKept(drafts: readonly WantDraft[]): number {
  return drafts.filter(({ deleted }) => !deleted).length
}

/** Returns whether the add button of a category is enabled: the last item is not empty, and there is room for another. */
export function canAdd(items: readonly WantDraft[]): boolean {
  return !isEmpty(items.at(-1)) && countKept(items) < limits.want.perCategory
}

/** Returns the error of an item. An empty one has none, because a save leaves it out. */
export function errorIn({ title, deleted }: WantDraft): string | undefined {
  if (deleted || title.trim() === '') return undefined
  return wantTitle.safeParse(title).error?.issues[0]?.message
}

/** Returns the errors of the items by their keys. */
export function errorsIn(drafts: readonly WantDraft[]): Map<string, string> {
  return new Map(
    drafts.flatMap((draft): [string, string][] => {
      const error = errorIn(draft)
      return error === undefined ? [] : [[draft.key, error]]
    }),
  )
}

/** Returns the changes that a save sends. A saved item that was emptied is removed. */
export function changesIn(drafts: readonly WantDraft[]): WantChanges {
  const removed = drafts.filter((draft) => draft.deleted || isEmpty(draft))
  // The server keeps the order of the screen.
  const kept = wantCategories.flatMap((category) =>
    inCategory(category, drafts).filter((draft) => !removed.includes(draft)),
  )
  return {
    add: kept.flatMap(({ saved, title, category_id }) =>
      saved ? [] : [{ title: title.trim(), category_id }],
    ),
    rename: kept.flatMap(({ saved, title }) =>
      saved && saved.title !== title.trim() ? [{ id: saved.id, title: title.trim() }] : [],
    ),
    remove: removed.flatMap(({ saved }) => saved?.id ?? []),
  }
}

export function hasChanges({ add, rename, remove }: WantChanges): boolean {
  return add.length + rename.length + remove.length > 0
}

/**
 * Applies the edits of a session to the current wants. An item that was deleted elsewhere is removed, or becomes a new item if
 * its title was edited. A new item that the current wants have now is removed: it was saved, but the response was lost.
 */
export function rebase(drafts: readonly WantDraft[], wants: readonly Want[]): WantDraft[] {
  const current = new Map(wants.map((want) => [want.id, want]))
  const edited = drafts.flatMap((draft): WantDraft[] => {
    if (!draft.saved) return [draft]
    const want = current.get(draft.saved.id)
    current.delete(draft.saved.id)
    if (want) {
      const isEdited = draft.title !== draft.saved.title
      return [{ ...savedDraft(want), deleted: draft.deleted, ...(isEdited && { title: draft.title }) }]
    }
    const isRenamed = draft.title.trim() !== draft.saved.title
    return isRenamed && !draft.deleted ? [unsavedDraft(draft)] : []
  })
  const added = [...current.values()].map(savedDraft)
  const kept = edited.filter((draft) => draft.saved || !findDraft(draft, added))
  const saved = 1 + kept.findLastIndex((draft) => draft.saved)
  return withEmptyLines([...kept.slice(0, saved), ...added, ...kept.slice(saved)])
}

function unsavedDraft({ key, category_id, title }: WantDraft): WantDraft {
  return { key: `unsaved-${key}`, category_id, title, deleted: false }
}

export function isEmpty(draft: WantDraft | undefined): boolean {
  return draft === undefined || draft.title.trim() === ''
}
