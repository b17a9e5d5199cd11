import { useHydrated } from '@tanstack/react-router'
import { type ComponentProps, useId } from 'react'
import text from '#web/styles/text.module.css'
import css from './check.module.css'
import { classNames } from './class-names.ts'
import { ErrorNote } from './error-note.tsx'
import { Icon } from './icon.tsx'

type CheckProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: string
  hint?: string
  error?: string | undefined
}

/** A checkbox with a label. A click on the label toggles it. */
export function Check({ label, hint, error, className, ...input }: CheckProps) {
  const noteId = useId()
  const hasNote = (hint ?? error) !== undefined
  const isHydrated = useHydrated()
  const check = (
    <label className={classNames(css.check, className)} inert={!isHydrated}>
      <input
        {...input}
        type="checkbox"
        aria-describedby={hasNote ? noteId : undefined}
        aria-invalid={error === undefined ? undefined : true}
      />
      <span className={css.box}>
        <Icon name="check" size={16} />
      </span>
      {label}
    </label>
  )
  if (!hasNote) return check
  return (
    <div>
      {check}
      {error === undefined ? (
        <p id={noteId} className={classNames(text.caption, text.muted, css.hint)}>
          {hint}
        </p>
      ) : (
        <ErrorNote id={noteId} className={css.hint}>
          {error}
        </ErrorNote>
      )}
    </div>
  )
}
