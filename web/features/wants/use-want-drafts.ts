import { useMemo, useState } from 'react'
import type { Want } from '#contract/wants.ts'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import {
  changesIn,
  hasChanges,
  rebase,
  restoreDrafts,
  type SuggestedWant,
  startDrafts,
  storedDrafts,
  type WantDraft,
  withSuggestion,
} from './want-drafts.ts'

interface WantDrafts {
  readonly drafts: readonly WantDraft[]
  /** True if the drafts are from an earlier visit. */
  readonly isRestored: boolean
  /** Replaces the drafts and stores them. */
  readonly edit: (drafts: readonly WantDraft[]) => void
  /** Stores the drafts as they are. Used for a suggestion, which is shown before it is edited. */
  readonly store: () => void
  /** Starts again from these saved wants. Does not touch the stored drafts. */
  readonly restart: (wants: readonly Want[]) => void
  /** Removes the stored drafts. */
  readonly discard: () => void
  /** Returns a function that removes the stored drafts unless they have changed since. */
  readonly submit: () => () => void
}

/** Holds the drafts of an edit session of the want list: restored ones, or the saved wants and the suggestion. */
export function useWantDrafts(
  wants: readonly Want[] | undefined,
  suggested: SuggestedWant | undefined,
): WantDrafts {
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
    isRestored,
    edit(next) {
      setEdited(next)
      store(next)
    },
    store: () => store(drafts),
    restart: (saved) => setEdited(startDrafts(saved)),
    discard: draft.discard,
    submit: draft.submit,
  }
}
