import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { UseFormReturn } from 'react-hook-form'
import type { CategoryName } from '#web/features/listings/categories.ts'
import { categoryLabel } from '#web/features/listings/categories.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { isEnter } from '#web/ui/is-enter.ts'
import { Row } from '#web/ui/layout.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import type { WantItem, WantList } from './want-items.ts'
import css from './want-line.module.css'

type WantLineProps = {
  form: UseFormReturn<WantList>
  item: WantItem
  name: CategoryName
  index: number
  readOnly: boolean
  /** True if the category has no room to unmark an item. */
  isFull: boolean
  onRemoveNew: () => void
  /** Handles Enter instead of submitting the form. */
  onEnter: (() => void) | undefined
}

/** The line of an item: a field with a delete button, or a saved item that the next save deletes. */
export function WantLine({ form, item, name, index, readOnly, isFull, onRemoveNew, onEnter }: WantLineProps) {
  const path = `${name}.${index}` as const
  const { saved, deleted, title } = item
  const label = t`${{ category: categoryLabel(name) }}, item ${{ number: index + 1 }}`
  const keepId = `${path}-keep`
  const isKept = deleted && (isFull || readOnly)

  function mark(isDeleted: boolean) {
    // The element to focus is there only afterwards.
    flushSync(() => form.setValue(`${path}.deleted`, isDeleted, { shouldDirty: true }))
    if (isDeleted) document.getElementById(keepId)?.focus()
    else form.setFocus(`${path}.title`)
  }

  function press(event: KeyboardEvent) {
    if (!isEnter(event) || onEnter === undefined) return
    event.preventDefault()
    onEnter()
  }
  if (deleted)
    return (
      <Row as="li" gap="1" align="start" className={css.line}>
        <s className={css.deleted}>{saved?.title}</s>
        <Button
          variant="quiet"
          size="small"
          id={keepId}
          aria-disabled={isKept}
          onClick={() => !isKept && mark(false)}
        >
          <span>
            <Trans>
              keep<VisuallyHidden> {saved?.title}</VisuallyHidden>
            </Trans>
          </span>
        </Button>
      </Row>
    )
  return (
    <Row as="li" gap="1" align="start" className={css.line}>
      <TextField
        label={label}
        hiddenLabel
        className={css.field}
        autoComplete="off"
        enterKeyHint={onEnter === undefined ? 'done' : 'next'}
        {...fieldOf(form, `${path}.title`)}
        readOnly={readOnly}
        onKeyDown={press}
      />
      <IconButton
        label={t`Delete ${{ title: title.trim() || label }}`}
        variant="delete"
        className={css.delete}
        disabled={readOnly}
        onClick={saved ? () => mark(true) : onRemoveNew}
      >
        <Icon name="trash" size={22} />
      </IconButton>
    </Row>
  )
}
