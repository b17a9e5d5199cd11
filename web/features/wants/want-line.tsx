import type { KeyboardEvent } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { isEnter } from '#web/ui/is-enter.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import type { WantDraft } from './want-drafts.ts'
import css from './want-line.module.css'

type WantLineProps = {
  draft: WantDraft
  label: string
  error: string | undefined
  readOnly: boolean
  /** True if the category has no room to unmark an item. */
  isFull: boolean
  onChange: (draft: WantDraft) => void
  onRemove: () => void
  onKeep: () => void
  /** Handles Enter instead of submitting the form. */
  onEnter: (() => void) | undefined
}

/** Returns the id of the button that unmarks an item. */
export function keepId({ key }: WantDraft): string {
  return `${key}-keep`
}

export function WantLine({ onKeep, isFull, ...props }: WantLineProps) {
  const { draft, readOnly } = props
  return (
    <li className={css.line}>
      {draft.deleted ? (
        <DeletedWant draft={draft} disabled={isFull || readOnly} onKeep={onKeep} />
      ) : (
        <WantField {...props} />
      )}
    </li>
  )
}

type DeletedWantProps = Pick<WantLineProps, 'draft' | 'onKeep'> & { disabled: boolean }

function DeletedWant({ draft, disabled, onKeep }: DeletedWantProps) {
  return (
    <>
      <s className={css.deleted}>{draft.saved?.title}</s>
      <Button
        variant="quiet"
        size="small"
        id={keepId(draft)}
        aria-disabled={disabled}
        onClick={() => !disabled && onKeep()}
      >
        <span>
          keep<VisuallyHidden> {draft.saved?.title}</VisuallyHidden>
        </span>
      </Button>
    </>
  )
}

type WantFieldProps = Omit<WantLineProps, 'onKeep' | 'isFull'>

function WantField({ draft, label, error, readOnly, onChange, onRemove, onEnter }: WantFieldProps) {
  function press(event: KeyboardEvent) {
    if (!isEnter(event) || onEnter === undefined) return
    event.preventDefault()
    onEnter()
  }
  return (
    <>
      <TextField
        id={draft.key}
        label={label}
        hiddenLabel
        className={css.field}
        autoComplete="off"
        enterKeyHint={onEnter === undefined ? 'done' : 'next'}
        value={draft.title}
        readOnly={readOnly}
        error={error}
        onChange={(event) => onChange({ ...draft, title: event.currentTarget.value })}
        onKeyDown={press}
      />
      <IconButton
        label={`Delete ${draft.title.trim() || label}`}
        variant="delete"
        className={css.delete}
        disabled={readOnly}
        onClick={onRemove}
      >
        <Icon name="trash" size={22} />
      </IconButton>
    </>
  )
}
