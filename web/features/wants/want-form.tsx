import { useQueryClient } from '@tanstack/react-query'
import { useHydrated, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type CategoryId, categoryName, limits } from '#contract/constants.ts'
import { type Want, wantMessages } from '#contract/wants.ts'
import { ApiError, isNotFound } from '#web/api/api-error.ts'
import { useOpenAgain } from '#web/features/drafts/open-again.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import {
  canAdd,
  changesIn,
  countKept,
  errorIn,
  findDraft,
  hasChanges,
  inCategory,
  isEmpty,
  newDraft,
  rebase,
  restoreDrafts,
  type SuggestedWant,
  startDrafts,
  storedDrafts,
  type WantDraft,
  wantCategories,
  withEmptyLines,
  withSuggestion,
} from './want-drafts.ts'
import css from './want-form.module.css'
import { WantColumns, WantGroup } from './want-groups.tsx'
import { keepId, WantLine } from './want-line.tsx'
import { myWantsQuery, saveMyWants } from './want-queries.ts'

const failure = 'Failed to save changes. Please try again.'

type WantFormProps = {
  /** Undefined if they could not be loaded. */
  wants: readonly Want[] | undefined
  suggested: SuggestedWant | undefined
}

/** Edits the whole want list and saves it at once. A failed save, a reload or another screen loses nothing. */
export function WantForm({ wants, suggested }: WantFormProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const toasts = useToasts()
  const { stillHere, offerAgain } = useOpenAgain('Your wish list was not saved.', { to: '/post-want' })
  const draft = useDraft('want-list', storedDrafts)
  const [edited, setEdited] = useState<readonly WantDraft[]>()
  const restored = useMemo(
    () => draft.restored && rebase(restoreDrafts(draft.restored), wants ?? []),
    [draft.restored, wants],
  )
  const isRestored = restored !== undefined && hasChanges(changesIn(restored))
  const drafts = useMemo(() => {
    if (edited) return wants ? rebase(edited, wants) : edited
    const begun = isRestored ? restored : startDrafts(wants ?? [])
    return suggested ? withSuggestion(begun, suggested) : begun
  }, [edited, wants, isRestored, restored, suggested])
  const [mistakes, setMistakes] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string>()
  const [saving, setSaving] = useState(false)
  const focusAfterRender = useFocusAfterRender()

  const isHydrated = useHydrated()
  const showSuggestion = useEffectEvent(() => {
    if (!suggested) return
    save(drafts)
    focus(findDraft(suggested, drafts)?.key)
  })
  useEffect(() => {
    if (isHydrated) showSuggestion()
  }, [isHydrated])

  function save(next: readonly WantDraft[]) {
    draft.save(hasChanges(changesIn(next)) ? [...next] : undefined)
  }

  function edit(next: readonly WantDraft[]) {
    setEdited(next)
    save(next)
  }

  function discard() {
    setEdited(startDrafts(wants ?? []))
    draft.discard()
    setMistakes(new Map())
    setProblem(undefined)
  }

  function change(changed: WantDraft) {
    edit(drafts.map((draft) => (draft.key === changed.key ? changed : draft)))
    setMistakes(new Map([...mistakes].filter(([key]) => key !== changed.key)))
    setProblem(undefined)
  }

  /** Marks a saved item, which the next save deletes. Removes a new one. */
  function remove(gone: WantDraft) {
    if (gone.saved) {
      change({ ...gone, deleted: true })
      focusAfterRender(keepId(gone))
    } else {
      const left = withEmptyLines(drafts.filter((draft) => draft !== gone))
      edit(left)
      focusAfterRender(inCategory(gone.category_id, left).at(-1)?.key)
    }
  }

  function keep(marked: WantDraft) {
    change({ ...marked, deleted: false })
    focusAfterRender(marked.key)
  }

  function add(category_id: CategoryId | null) {
    const added = newDraft(drafts, category_id)
    edit([...drafts, added])
    focusAfterRender(added.key)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const wrong = drafts.flatMap((draft): [string, string][] => {
      const mistake = errorIn(draft)
      return mistake === undefined ? [] : [[draft.key, mistake]]
    })
    setMistakes(new Map(wrong))
    if (wrong.length > 0) return focus(wrong[0]?.[0])
    const changes = changesIn(drafts)
    if (!hasChanges(changes) && drafts.every(isEmpty)) return setProblem(wantMessages.nothingToSave)

    const clearDraft = draft.submit()
    setProblem(undefined)
    setSaving(true)
    try {
      if (hasChanges(changes)) setEdited(startDrafts(await saveMyWants(client, changes)))
    } catch (error) {
      if (!stillHere()) return offerAgain()
      setProblem(failureText(error))
      // An item was deleted elsewhere: with the list as it is now, the next try can succeed.
      if (isNotFound(error)) await client.refetchQueries({ queryKey: myWantsQuery.queryKey })
      return
    } finally {
      setSaving(false)
    }
    clearDraft()
    toasts.show('Wish list saved')
    if (stillHere()) await navigate({ to: '/my-listings', search: { tab: 'want' } })
  }

  return (
    <>
      {isRestored && <RestoredDraftNotice onDiscard={discard} />}
      <form className={css.form} onSubmit={submit} noValidate>
        {problem !== undefined && (
          <div ref={bringIntoView}>
            <Banner kind="error" onDismiss={() => setProblem(undefined)}>
              {problem}
            </Banner>
          </div>
        )}
        <WantColumns wide>
          {wantCategories.map((category_id) => {
            const name = categoryName(category_id)
            const items = inCategory(category_id, drafts)
            const written = countKept(items.filter((draft) => !isEmpty(draft)))
            return (
              <WantGroup key={name} name={name} count={`${written} of ${limits.want.perCategory}`}>
                <ul className={css.lines}>
                  {items.map((draft, index) => (
                    <WantLine
                      key={draft.key}
                      draft={draft}
                      label={`${name}, item ${index + 1}`}
                      error={mistakes.get(draft.key)}
                      readOnly={saving}
                      isFull={countKept(items) >= limits.want.perCategory}
                      onChange={change}
                      onRemove={() => remove(draft)}
                      onKeep={() => keep(draft)}
                      onEnter={canAdd(items) && draft === items.at(-1) ? () => add(category_id) : undefined}
                    />
                  ))}
                </ul>
                <Button
                  variant="quiet"
                  size="small"
                  disabled={!canAdd(items) || saving}
                  onClick={() => add(category_id)}
                >
                  <Icon name="plus" size={20} />
                  <span>
                    add<VisuallyHidden> to {name}</VisuallyHidden>
                  </span>
                </Button>
              </WantGroup>
            )
          })}
        </WantColumns>
        <div className={css.finish}>
          <Button type="submit" wide busy={saving && 'Saving...'}>
            save
          </Button>
        </div>
      </form>
    </>
  )
}

/** The specification's sentence, and below it the reason of the server. */
function failureText(error: unknown): string {
  const detail = error instanceof ApiError && [409, 422].includes(error.status) ? error.detail : undefined
  return detail === undefined ? failure : `${failure}\n${detail}`
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

function bringIntoView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}
