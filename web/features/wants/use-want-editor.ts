import { useHydrated } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CategoryId } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import {
  changesIn,
  errorsIn,
  findDraft,
  hasChanges,
  inCategory,
  newDraft,
  rebase,
  restoreDrafts,
  type SuggestedWant,
  startDrafts,
  storedDrafts,
  type WantDraft,
  withEmptyLines,
  withSuggestion,
} from './want-drafts.ts'
import { keepId } from './want-line.tsx'

export type WantEditor = ReturnType<typeof useWantEditor>

/** Holds the items of the want form, their errors and the form's error, and moves the focus with each edit. */
export function useWantEditor(wants: readonly Want[] | undefined, suggested: SuggestedWant | undefined) {
  const { drafts, edit, store, discard, ...session } = useWantDrafts(wants, suggested)
  const { clearErrors, ...errors } = useWantErrors(drafts)
  const focusAfterRender = useFocusAfterRender()
  useOnHydrated(() => {
    if (!suggested) return
    store()
    focus(findDraft(suggested, drafts)?.key)
  })

  function change(changed: WantDraft) {
    edit(drafts.map((draft) => (draft.key === changed.key ? changed : draft)))
    clearErrors(changed.key)
  }

  return {
    ...session,
    ...errors,
    drafts,
    change,
    add(category_id: CategoryId | null) {
      const added = newDraft(drafts, category_id)
      edit([...drafts, added])
      focusAfterRender(added.key)
    },
    /** Marks a saved item, which the next save deletes. Removes a new one. */
    remove(item: WantDraft) {
      if (item.saved) {
        change({ ...item, deleted: true })
        focusAfterRender(keepId(item))
      } else {
        const left = withEmptyLines(drafts.filter((draft) => draft !== item))
        edit(left)
        focusAfterRender(inCategory(item.category_id, left).at(-1)?.key)
      }
    },
    /** Unmarks an item. */
    keep(item: WantDraft) {
      change({ ...item, deleted: false })
      focusAfterRender(item.key)
    },
    discard() {
      session.restart(wants ?? [])
      discard()
      clearErrors()
    },
  }
}

/** Holds the drafts of an edit session of the want list: restored ones, or the saved wants and the suggestion. */
function useWantDrafts(wants: readonly Want[] | undefined, suggested: SuggestedWant | undefined) {
  const draft = useDraft('want-list', storedDrafts)
  const [edited, setEdited] = useState<readonly WantDraft[]>()
  const restored = useMemo(
    () => draft.restored && rebase(restoreDrafts(draft.restored), wants ?? []),
    [draft.restored, wants],
  )
  const isRestored = restored !== undefined && hasChanges(changesIn(restored))
  const drafts = useMemo(() => {
    if (edited) return wants ? rebase(edited, wants) : edited
    const initial = isRestored ? restored : startDrafts(wants ?? [])
    return suggested ? withSuggestion(initial, suggested) : initial
  }, [edited, wants, isRestored, restored, suggested])

  function store(next: readonly WantDraft[]) {
    draft.save(hasChanges(changesIn(next)) ? [...next] : undefined)
  }
  return {
    drafts,
    /** True if the drafts are from an earlier visit. */
    isRestored,
    /** Replaces the drafts and stores them. */
    edit(next: readonly WantDraft[]) {
      setEdited(next)
      store(next)
    },
    /** Stores the drafts as they are. Used for a suggestion, which is shown before it is edited. */
    store: () => store(drafts),
    /** Starts again from these saved wants. Does not touch the stored drafts. */
    restart: (saved: readonly Want[]) => setEdited(startDrafts(saved)),
    /** Removes the stored drafts. */
    discard: draft.discard,
    /** Returns a function that removes the stored drafts unless they have changed since. */
    submit: draft.submit,
  }
}

/** Holds the errors of items by their keys, and the error of the form as `problem`. */
function useWantErrors(drafts: readonly WantDraft[]) {
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string>()
  return {
    errors,
    problem,
    setProblem,
    /** Clears the error of the form, and those of one item or of all. */
    clearErrors(key?: string) {
      setErrors(new Map([...errors].filter(([other]) => key !== undefined && other !== key)))
      setProblem(undefined)
    },
    /** Shows the errors of invalid items and focuses the first one. Returns whether all items are valid. */
    validate(): boolean {
      const found = errorsIn(drafts)
      setErrors(found)
      focus([...found.keys()][0])
      return found.size === 0
    },
  }
}

/** Runs an effect once, after hydration. */
function useOnHydrated(effect: () => void) {
  const isHydrated = useHydrated()
  const run = useEffectEvent(effect)
  useEffect(() => {
    if (isHydrated) run()
  }, [isHydrated])
}

/** Returns a function that focuses the element with this id once the changes of this event are on the page. */
function useFocusAfterRender() {
  const next = useRef<string>(undefined)
  useLayoutEffect(() => {
    focus(next.current)
    next.current = undefined
  })
  return (id: string | undefined) => {
    next.current = id
  }
}

function focus(id: string | undefined) {
  if (id !== undefined) document.getElementById(id)?.focus()
}
