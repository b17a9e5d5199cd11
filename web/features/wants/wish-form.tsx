import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type CategoryId, categoryName, limits } from '#contract/constants.ts'
import { type Want, wantSentences } from '#contract/wants.ts'
import { ApiError, isMissing } from '#web/api/api-error.ts'
import { queryClient } from '#web/api/query-client.ts'
import { BroughtBack } from '#web/features/drafts/brought-back.tsx'
import { forgetSent, keep as keepInBrowser, readKept, readKeptJson } from '#web/features/drafts/kept-text.ts'
import { useOpenAgain } from '#web/features/drafts/open-again.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { toast } from '#web/ui/toast.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { WantColumns, WantGroup } from './want-groups.tsx'
import { myWantsQuery, saveWishList } from './want-queries.ts'
import {
  canAdd,
  changesIn,
  type Draft,
  isEmpty,
  isNothing,
  itemOf,
  kept,
  mistakeIn,
  newDraft,
  rebased,
  shownIn,
  starting,
  takenUp,
  type Wish,
  wantCategories,
  withLines,
  withWish,
} from './wish-drafts.ts'
import css from './wish-form.module.css'
import { keepId, WishLine } from './wish-line.tsx'

const failure = 'Failed to save changes. Please try again.'
const session = 'wish list'

/** What was typed and marked when its gardener went elsewhere; undefined where that comes to nothing. */
function begun(wants: readonly Want[] | undefined): Draft[] | undefined {
  const left = takenUp(readKeptJson(session))
  const drafts = wants === undefined ? withLines(left) : rebased(left, wants)
  return isNothing(changesIn(drafts)) ? undefined : drafts
}

type WishFormProps = {
  /** Undefined where they could not be loaded. */
  wants: readonly Want[] | undefined
  /** What one has come to wish for. */
  wish: Wish | undefined
}

/** A whole edit session, saved at once. When that fails, or when one goes elsewhere, nothing that was typed or marked is lost. */
export function WishForm({ wants, wish }: WishFormProps) {
  const navigate = useNavigate()
  const { stillHere, offerAgain } = useOpenAgain('Your wish list was not saved.', { to: '/post-want' })
  const [left] = useState(() => begun(wants))
  const [isBack, setIsBack] = useState(left !== undefined)
  const [drafts, setDrafts] = useState(() => {
    const known = left ?? starting(wants ?? [])
    return wish ? withWish(known, wish) : known
  })
  const [wished] = useState(() => wish && itemOf(wish, drafts)?.key)
  useEffect(() => focus(wished), [wished])
  const [mistakes, setMistakes] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string>()
  const [saving, setSaving] = useState(false)
  const [known, setKnown] = useState(wants)
  if (known !== wants) {
    setKnown(wants)
    if (wants !== undefined) setDrafts(rebased(drafts, wants))
  }

  /** What a hand has done is kept until it is saved. */
  function write(next: readonly Draft[]) {
    setDrafts([...next])
    keepInBrowser(session, isNothing(changesIn(next)) ? '' : JSON.stringify(next))
  }

  function discard() {
    write(starting(wants ?? []))
    setIsBack(false)
    setMistakes(new Map())
    setProblem(undefined)
  }

  function change(changed: Draft) {
    write(drafts.map((draft) => (draft.key === changed.key ? changed : draft)))
    setMistakes(new Map([...mistakes].filter(([key]) => key !== changed.key)))
    setProblem(undefined)
  }

  /** A saved item is marked, and goes when all is saved; a new one goes at once. */
  function remove(gone: Draft) {
    if (gone.saved) {
      flushSync(() => change({ ...gone, deleted: true }))
      return focus(keepId(gone))
    }
    flushSync(() => write(withLines(drafts.filter((draft) => draft !== gone))))
    focus(
      shownIn(gone.category_id, drafts)
        .filter((draft) => draft !== gone)
        .at(-1)?.key,
    )
  }

  function keep(marked: Draft) {
    flushSync(() => change({ ...marked, deleted: false }))
    focus(marked.key)
  }

  function add(category_id: CategoryId | null) {
    const added = newDraft(category_id)
    flushSync(() => write([...drafts, added]))
    focus(added.key)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const wrong = drafts.flatMap((draft): [string, string][] => {
      const mistake = mistakeIn(draft)
      return mistake === undefined ? [] : [[draft.key, mistake]]
    })
    setMistakes(new Map(wrong))
    if (wrong.length > 0) return focus(wrong[0]?.[0])
    const changes = changesIn(drafts)
    if (isNothing(changes) && drafts.every(isEmpty)) return setProblem(wantSentences.nothingToSave)

    const sending = readKept(session)
    setProblem(undefined)
    setSaving(true)
    try {
      if (!isNothing(changes)) await saveWishList(changes)
    } catch (error) {
      if (!stillHere()) return offerAgain()
      setProblem(sentenceFor(error))
      // Something was deleted elsewhere: with the list as it is now, the next try can go well.
      if (isMissing(error)) await queryClient.refetchQueries({ queryKey: myWantsQuery.queryKey })
      return
    } finally {
      setSaving(false)
    }
    forgetSent(session, sending)
    toast('Wish list saved')
    // Who has gone on meanwhile is not called back.
    if (stillHere()) await navigate({ to: '/my-listings', search: { tab: 'want' } })
  }

  return (
    <>
      {isBack && <BroughtBack onDiscard={discard} />}
      <form className={css.form} onSubmit={save} noValidate>
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
            const shown = shownIn(category_id, drafts)
            const written = kept(shown.filter((draft) => !isEmpty(draft)))
            return (
              <WantGroup key={name} name={name} count={`${written} of ${limits.want.perCategory}`}>
                <ul className={css.lines}>
                  {shown.map((draft, place) => (
                    <WishLine
                      key={draft.key}
                      draft={draft}
                      label={`${name}, item ${place + 1}`}
                      error={mistakes.get(draft.key)}
                      readOnly={saving}
                      isFull={kept(shown) >= limits.want.perCategory}
                      onChange={change}
                      onRemove={() => remove(draft)}
                      onKeep={() => keep(draft)}
                      // Whoever writes one item after the other need not leave the keyboard.
                      onEnter={canAdd(shown) && draft === shown.at(-1) ? () => add(category_id) : undefined}
                    />
                  ))}
                </ul>
                <Button
                  variant="quiet"
                  size="small"
                  disabled={!canAdd(shown) || saving}
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

/** The spec's sentence, and below it what the server has to say against the list. */
function sentenceFor(error: unknown): string {
  const said = error instanceof ApiError && [409, 422].includes(error.status) ? error.detail : undefined
  return said === undefined ? failure : `${failure}\n${said}`
}

function focus(key: string | undefined) {
  if (key !== undefined) document.getElementById(key)?.focus()
}

function bringIntoView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}
