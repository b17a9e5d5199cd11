import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { type CategoryId, categoryName, limits } from '#contract/constants.ts'
import { type Want, wantMessages } from '#contract/wants.ts'
import { ApiError } from '#web/api/api-error.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useReopenToast } from '#web/features/drafts/use-reopen-toast.ts'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useWantEditor, type WantEditor } from './use-want-editor.ts'
import {
  canAdd,
  changesIn,
  countKept,
  hasChanges,
  inCategory,
  isEmpty,
  rebase,
  type SuggestedWant,
  wantCategories,
} from './want-drafts.ts'
import css from './want-form.module.css'
import { WantColumns, WantGroup } from './want-groups.tsx'
import { WantLine } from './want-line.tsx'
import { fetchMyWants, saveMyWants } from './want-queries.ts'

const failure = 'Failed to save changes. Please try again.'

type WantFormProps = {
  /** Undefined if they could not be loaded. */
  wants: readonly Want[] | undefined
  suggested: SuggestedWant | undefined
}

/** Edits the whole want list and saves it at once. Unsaved changes are kept as a draft. */
export function WantForm({ wants, suggested }: WantFormProps) {
  const editor = useWantEditor(wants, suggested)
  const { saving, submit } = useSave(editor)
  const { problem, setProblem } = editor
  return (
    <>
      {editor.isRestored && <RestoredDraftNotice onDiscard={editor.discard} />}
      <form className={css.form} onSubmit={submit} noValidate>
        <FailureBanner text={problem} onDismiss={() => setProblem(undefined)} />
        <WantColumns wide>
          {wantCategories.map((category_id) => (
            <CategoryGroup
              key={categoryName(category_id)}
              category_id={category_id}
              editor={editor}
              saving={saving}
            />
          ))}
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

/** Returns the submit handler of the form, and whether a save is running. */
function useSave({ drafts, validate, setProblem, restart, ...draft }: WantEditor) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const toasts = useToasts()
  const { isMounted, showReopenToast } = useReopenToast('Your wish list was not saved.', { to: '/post-want' })
  const [saving, setSaving] = useState(false)
  /** True after a failed save. It may have been stored without its response, or an item was deleted elsewhere. */
  const hasFailed = useRef(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!validate()) return
    if (!hasChanges(changesIn(drafts)) && drafts.every(isEmpty)) return setProblem(wantMessages.nothingToSave)

    const clearDraft = draft.submit()
    setProblem(undefined)
    setSaving(true)
    try {
      const changes = changesIn(hasFailed.current ? rebase(drafts, await fetchMyWants(client)) : drafts)
      if (hasChanges(changes)) restart(await saveMyWants(client, changes))
    } catch (error) {
      hasFailed.current = true
      if (!isMounted()) return showReopenToast()
      return setProblem(failureText(error))
    } finally {
      setSaving(false)
    }
    clearDraft()
    toasts.show('Wish list saved')
    if (isMounted()) await navigate({ to: '/my-listings', search: { tab: 'want' } })
  }
  return { saving, submit }
}

type CategoryGroupProps = { category_id: CategoryId | null; editor: WantEditor; saving: boolean }

function CategoryGroup({ category_id, editor, saving }: CategoryGroupProps) {
  const name = categoryName(category_id)
  const items = inCategory(category_id, editor.drafts)
  const { perCategory } = limits.want
  return (
    <WantGroup name={name} count={`${countKept(items.filter((item) => !isEmpty(item)))} of ${perCategory}`}>
      <ul className={classNames(layout.stack, layout.gap2, css.lines)}>
        {items.map((item, index) => (
          <WantLine
            key={item.key}
            draft={item}
            label={`${name}, item ${index + 1}`}
            error={editor.errors.get(item.key)}
            readOnly={saving}
            isFull={countKept(items) >= perCategory}
            onChange={editor.change}
            onRemove={() => editor.remove(item)}
            onKeep={() => editor.keep(item)}
            onEnter={canAdd(items) && item === items.at(-1) ? () => editor.add(category_id) : undefined}
          />
        ))}
      </ul>
      <Button
        variant="quiet"
        size="small"
        disabled={!canAdd(items) || saving}
        onClick={() => editor.add(category_id)}
      >
        <Icon name="plus" size={20} />
        <span>
          add<VisuallyHidden> to {name}</VisuallyHidden>
        </span>
      </Button>
    </WantGroup>
  )
}

/** Returns the specified message, and on a second line the server's reason. */
function failureText(error: unknown): string {
  const detail = error instanceof ApiError && [409, 422].includes(error.status) ? error.detail : undefined
  return detail === undefined ? failure : `${failure}\n${detail}`
}
