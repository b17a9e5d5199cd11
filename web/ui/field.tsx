import { useHydrated } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { ErrorNote } from './error-note.tsx'
import css from './field.module.css'
import { Icon } from './icon.tsx'
import hidden from './visually-hidden.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type FieldProps = {
  label: string
  /** Hides the label visually. */
  hiddenLabel?: boolean | undefined
  optional?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
}

type Counter = { count: number; max: number }

type TextFieldProps = ComponentProps<'input'> & FieldProps & { affix?: string; counter?: Counter }

/** Works with `register()` of react-hook-form: `<TextField label="Email" error={…} {...register('email')} />`. */
export function TextField({
  label,
  hiddenLabel,
  optional,
  hint,
  error,
  affix,
  counter,
  className,
  ...input
}: TextFieldProps) {
  const field = useField(input, { hint, error })
  const isHydrated = useHydrated()
  const box = (
    <input
      type="text"
      dir="auto"
      {...input}
      {...field.control}
      readOnly={!isHydrated || input.readOnly}
      className={css.input}
    />
  )
  return (
    <FieldLayout {...{ field, label, hiddenLabel, optional, hint, error, counter, className }}>
      {affix === undefined ? (
        box
      ) : (
        <span className={css.affix}>
          <span aria-hidden="true">{affix}</span>
          {box}
        </span>
      )}
    </FieldLayout>
  )
}

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type'> & FieldProps

/** A password field with a button that shows the text. A submit hides it again, so that browsers offer to save it. */
export function PasswordField({ label, hint, error, className, ...input }: PasswordFieldProps) {
  const field = useField(input, { hint, error })
  const isHydrated = useHydrated()
  const [isShown, setShown] = useState(false)
  const reveal = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const form = reveal.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])
  return (
    <FieldLayout {...{ field, label, hint, error, className }}>
      <span className={css.password}>
        <input
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...input}
          {...field.control}
          type={isShown ? 'text' : 'password'}
          readOnly={!isHydrated || input.readOnly}
          className={css.input}
        />
        <button
          ref={reveal}
          type="button"
          className={css.reveal}
          // The field keeps the focus, so a phone's keyboard stays open.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'hide' : 'show'} size={22} />
          <VisuallyHidden>
            {isShown ? 'Hide' : 'Show'} what is typed: {label}
          </VisuallyHidden>
        </button>
      </span>
    </FieldLayout>
  )
}

type TextAreaProps = ComponentProps<'textarea'> & FieldProps & { counter?: Counter }

export function TextArea({ label, optional, hint, error, counter, className, ...area }: TextAreaProps) {
  const field = useField(area, { hint, error })
  const isHydrated = useHydrated()
  return (
    <FieldLayout {...{ field, label, optional, hint, error, counter, className }}>
      <textarea
        dir="auto"
        {...area}
        {...field.control}
        readOnly={!isHydrated || area.readOnly}
        className={classNames(css.input, css.area)}
      />
    </FieldLayout>
  )
}

type SelectFieldProps = Omit<ComponentProps<'select'>, 'children'> &
  FieldProps & { options: readonly { value: string | number; label: string }[] }

export function SelectField({
  label,
  optional,
  hint,
  error,
  options,
  className,
  ...select
}: SelectFieldProps) {
  const field = useField(select, { hint, error })
  return (
    <FieldLayout {...{ field, label, optional, hint, error, className }}>
      <span className={css.select}>
        <select {...select} {...field.control} className={css.input}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" size={20} />
      </span>
    </FieldLayout>
  )
}

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: string }

/** A search field. Its label is visually hidden, and by default the placeholder shows it. */
export function SearchField({ label, placeholder = label, className, ...input }: SearchFieldProps) {
  const isHydrated = useHydrated()
  return (
    <span className={classNames(css.search, className)}>
      <Icon name="search" size={20} />
      <input
        dir="auto"
        {...input}
        type="search"
        readOnly={!isHydrated || input.readOnly}
        aria-label={label}
        placeholder={placeholder}
        className={css.input}
      />
    </span>
  )
}

/** The attributes of a control that connect it with its hint or error, whose id is `noteId`. */
type FieldIds = {
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }
  noteId: string
}

function useField(
  control: { id?: string | undefined; 'aria-describedby'?: string | undefined },
  { hint, error }: Pick<FieldProps, 'hint' | 'error'>,
): FieldIds {
  const ownId = useId()
  const id = control.id ?? ownId
  const noteId = `${id}-note`
  const notes = [control['aria-describedby'], (hint ?? error) !== undefined && noteId].filter(Boolean)
  return {
    control: {
      id,
      'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
      'aria-invalid': error === undefined ? undefined : true,
    },
    noteId,
  }
}

type FieldLayoutProps = FieldProps & {
  field: FieldIds
  counter?: Counter | undefined
  className?: string | undefined
  children: ReactNode
}

/** Lays out a control with its label, and below it the hint or error and the counter. */
function FieldLayout({
  field,
  label,
  hiddenLabel,
  optional,
  hint,
  error,
  counter,
  className,
  children,
}: FieldLayoutProps) {
  return (
    <div className={classNames(css.field, error !== undefined && css.hasError, className)}>
      <label htmlFor={field.control.id} className={hiddenLabel ? hidden.hidden : undefined}>
        {label}
        {optional === true && <span className={css.optional}> (optional)</span>}
      </label>
      {children}
      <Notes {...{ noteId: field.noteId, hint, error, counter }} />
    </div>
  )
}

function Notes({
  noteId,
  hint,
  error,
  counter,
}: Pick<FieldLayoutProps, 'hint' | 'error' | 'counter'> & { noteId: string }) {
  if ((hint ?? error ?? counter) === undefined) return null
  return (
    <div className={css.notes}>
      {error === undefined ? (
        <p className={css.hint} id={noteId}>
          {hint}
        </p>
      ) : (
        // Not an alert: the form focuses its first invalid field, and screen readers read the error as its description.
        <ErrorNote id={noteId}>{error}</ErrorNote>
      )}
      {counter !== undefined && (
        <p className={css.hint}>
          {counter.count}/{counter.max}
        </p>
      )}
    </div>
  )
}
