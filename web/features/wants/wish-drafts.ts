import { type CategoryId, categories, limits } from '#contract/constants.ts'
import { type Want, type WantChanges, wantTitle } from '#contract/wants.ts'

/** In the order of the screens. */
export const wantCategories: readonly (CategoryId | null)[] = [
  categories.produce,
  categories.seeds,
  categories.plants,
  null,
]

/** What of an item the browser keeps until it is saved. */
type KeptDraft = Omit<Draft, 'key'>

/** An item of an edit session. `saved` is its title on the server; an item without it is new. */
export interface Draft {
  readonly key: string
  readonly category_id: CategoryId | null
  readonly title: string
  readonly saved?: { readonly id: number; readonly title: string }
  /** A saved item that goes with the next save. */
  readonly deleted: boolean
}

function savedDraft({ id, title, category_id }: Want): Draft {
  return { key: keyOf(id), category_id, title, saved: { id, title }, deleted: false }
}

function keyOf(id: number): string {
  return `want-${id}`
}

let made = 0
export function newDraft(category_id: CategoryId | null, title = ''): Draft {
  made += 1
  return { key: `new-${made}`, category_id, title, deleted: false }
}

/** An edit session of a wish list: what is saved, and in an empty category a line to write on. */
export function starting(wants: readonly Want[]): Draft[] {
  return withLines(wants.map(savedDraft))
}

/** An edit session that was left, as the browser has kept it: what is no such thing is left out. */
export function takenUp(kept: unknown): Draft[] {
  if (!Array.isArray(kept)) return []
  return kept
    .filter(isKeptDraft)
    .map(({ category_id, title, saved, deleted }) =>
      saved ? { key: keyOf(saved.id), category_id, title, saved, deleted } : newDraft(category_id, title),
    )
}

function isKeptDraft(kept: unknown): kept is KeptDraft {
  if (typeof kept !== 'object' || kept === null) return false
  const { category_id, title, saved, deleted } = kept as Partial<KeptDraft>
  return (
    wantCategories.includes(category_id as CategoryId | null) &&
    typeof title === 'string' &&
    typeof deleted === 'boolean' &&
    (saved === undefined || (typeof saved.id === 'number' && typeof saved.title === 'string'))
  )
}

/** A category is never without a line to write on. */
export function withLines(drafts: readonly Draft[]): Draft[] {
  const empty = wantCategories.filter((category) => shownIn(category, drafts).length === 0)
  return [...drafts, ...empty.map((category) => newDraft(category))]
}

/** What is wished for, before it is an item. */
export type Wish = Pick<Draft, 'category_id' | 'title'>

/** With a wish on a line that is empty or a new one, unless it is there already or the category is full. */
export function withWish(drafts: readonly Draft[], wish: Wish): Draft[] {
  const shown = shownIn(wish.category_id, drafts)
  const line = shown.find((draft) => !draft.saved && isEmpty(draft))
  if (itemOf(wish, drafts) || (!line && kept(shown) >= limits.want.perCategory)) return [...drafts]
  return line
    ? drafts.map((draft) => (draft === line ? { ...line, title: wish.title } : draft))
    : [...drafts, newDraft(wish.category_id, wish.title)]
}

export function itemOf({ category_id, title }: Wish, drafts: readonly Draft[]): Draft | undefined {
  const words = title.toLowerCase()
  return shownIn(category_id, drafts).find((draft) => draft.title.trim().toLowerCase() === words)
}

export function shownIn(category_id: CategoryId | null, drafts: readonly Draft[]): Draft[] {
  return drafts.filter((draft) => draft.category_id === category_id)
}

/** How many the category will hold; what is marked for deletion makes room. */
export function kept(drafts: readonly Draft[]): number {
  return drafts.filter(({ deleted }) => !deleted).length
}

/** The last item has to be written before there is another, and five is the most. */
export function canAdd(shown: readonly Draft[]): boolean {
  return !isEmpty(shown.at(-1)) && kept(shown) < limits.want.perCategory
}

/** What is wrong with an item; an empty one is left out and so is never wrong. */
export function mistakeIn({ title, deleted }: Draft): string | undefined {
  if (deleted || title.trim() === '') return undefined
  return wantTitle.safeParse(title).error?.issues[0]?.message
}

/** All that is to be saved. A saved item whose words were all taken out goes as well. */
export function changesIn(drafts: readonly Draft[]): WantChanges {
  const going = drafts.filter((draft) => draft.deleted || isEmpty(draft))
  // In the order of the screen, which is the order in which a list is read later.
  const staying = wantCategories.flatMap((category) =>
    shownIn(category, drafts).filter((draft) => !going.includes(draft)),
  )
  return {
    add: staying.flatMap(({ saved, title, category_id }) =>
      saved ? [] : [{ title: title.trim(), category_id }],
    ),
    rename: staying.flatMap(({ saved, title }) =>
      saved && saved.title !== title.trim() ? [{ id: saved.id, title: title.trim() }] : [],
    ),
    remove: going.flatMap(({ saved }) => saved?.id ?? []),
  }
}

export function isNothing({ add, rename, remove }: WantChanges): boolean {
  return add.length + rename.length + remove.length === 0
}

/**
 * The session after the wish list has turned out to be another: what is typed stays. A saved item that is gone meanwhile
 * goes as well when it was to, or was not touched; with new words it becomes a new one.
 */
export function rebased(drafts: readonly Draft[], wants: readonly Want[]): Draft[] {
  const now = new Map(wants.map((want) => [want.id, want]))
  const carried = drafts.flatMap((draft): Draft[] => {
    if (!draft.saved) return [draft]
    const want = now.get(draft.saved.id)
    now.delete(draft.saved.id)
    const touched = draft.title.trim() !== draft.saved.title
    if (want) return [{ ...savedDraft(want), deleted: draft.deleted, ...(touched && { title: draft.title }) }]
    return touched && !draft.deleted ? [newDraft(draft.category_id, draft.title)] : []
  })
  const arrived = [...now.values()].map(savedDraft)
  const saved = 1 + carried.findLastIndex((draft) => draft.saved)
  return withLines([...carried.slice(0, saved), ...arrived, ...carried.slice(saved)])
}

export function isEmpty(draft: Draft | undefined): boolean {
  return draft === undefined || draft.title.trim() === ''
}
