import { useHydrated } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { CategoryId } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import { useWantDrafts } from './use-want-drafts.ts'
import {
  errorsIn,
  findDraft,
  inCategory,
  newDraft,
  type SuggestedWant,
  type WantDraft,
  withEmptyLines,
} from './want-drafts.ts'
import { keepId } from './want-line.tsx'

export type WantEditor = ReturnType<typeof useWantEditor>

/** Holds the items of the want form, their errors and the form's error, and moves the focus with each edit. */
export function useWantEditor(wants: readonly Want[] | undefined, suggested: SuggestedWant | undefined) {
  const { drafts, edit, store, discard, ...session } = useWantDrafts(wants, suggested)
  /** The errors of items by their keys. */
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  /** The error of the form. */
  const [problem, setProblem] = useState<string>()
  const focusAfterRender = useFocusAfterRender()
  const focusSuggestion = useEffectEvent(() => {
    if (!suggested) return
    store()
    focus(findDraft(suggested, drafts)?.key)
  })
  const isHydrated = useHydrated()
  useEffect(() => {
    if (isHydrated) focusSuggestion()
  }, [isHydrated])

  function change(changed: WantDraft) {
    edit(drafts.map((draft) => (draft.key === changed.key ? changed : draft)))
    setErrors(new Map([...errors].filter(([key]) => key !== changed.key)))
    setProblem(undefined)
  }

  return {
    ...session,
    drafts,
    errors,
    problem,
    setProblem,
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
      setErrors(new Map())
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
