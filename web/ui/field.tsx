import { t } from '@lingui/core/macro'
import { useHydrated } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { ErrorNote } from './error-note.tsx'
import css from './field.module.css'
import { Icon } from './icon.tsx'
import { Row, Stack } from './layout.tsx'
import hidden from './visually-hidden.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type FieldProps = {
  label: string
  /** Hides the label visually. */
  hiddenLabel?: boolean | undefined
  optional?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
  counter?: { count: number; max: number } | undefined
  className?: string | undefined
}

/** A sign before or after what is typed: "$" or "€". */
export interface Affix {
  readonly sign: string
  readonly side: 'start' | 'end'
}

type TextFieldProps = ComponentProps<'input'> & FieldProps & { affix?: Affix }

/** `fieldOf` connects it with a form: `<TextField label="Email" {...fieldOf(form, 'email')} />`. */
export function TextField({ affix, ...props }: TextFieldProps) {
  const { control, layout } = useField(props)
  const isHydrated = useHydrated()
  const box = (
    <input
      type="text"
      dir="auto"
      {...control}
      readOnly={!isHydrated || control.readOnly}
      className={css.input}
    />
  )
  return (
    <FieldLayout {...layout}>
      {affix === undefined ? (
        box
      ) : (
        <span className={classNames(css.affix, css[affix.side], affix.sign.length > 1 && css.long)}>
          <span aria-hidden="true">{affix.sign}</span>
          {box}
        </span>
      )}
    </FieldLayout>
  )
}

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type'> & FieldProps

/** A password field with a button that shows the text. A submit hides it again, so that browsers offer to save it. */
export function PasswordField(props: PasswordFieldProps) {
  const { control, layout } = useField(props)
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
    <FieldLayout {...layout}>
      <span className={css.password}>
        <input
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...control}
          type={isShown ? 'text' : 'password'}
          readOnly={!isHydrated || control.readOnly}
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
            {isShown
              ? t`Hide what is typed: ${{ label: props.label }}`
              : t`Show what is typed: ${{ label: props.label }}`}
          </VisuallyHidden>
        </button>
      </span>
    </FieldLayout>
  )
}

export function TextArea(props: ComponentProps<'textarea'> & FieldProps) {
  const { control, layout } = useField(props)
  const isHydrated = useHydrated()
  return (
    <FieldLayout {...layout}>
      <textarea
        dir="auto"
        {...control}
        readOnly={!isHydrated || control.readOnly}
        className={classNames(css.input, css.area)}
      />
    </FieldLayout>
  )
}

type SelectFieldProps = Omit<ComponentProps<'select'>, 'children'> &
  FieldProps & { options: readonly { value: string | number; label: string }[] }

export function SelectField({ options, ...props }: SelectFieldProps) {
  const { control, layout } = useField(props)
  const isHydrated = useHydrated()
  return (
    <FieldLayout {...layout}>
      {/* A choice before hydration would be lost. */}
      <span className={css.select} inert={!isHydrated}>
        <select {...control} className={css.input}>
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

type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

/** Separates the properties of a field's layout from those of its control, and connects the control with its hint or error. */
function useField<Props extends FieldProps & ControlProps>({
  label,
  hiddenLabel,
  optional,
  hint,
  error,
  counter,
  className,
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid,
  ...control
}: Props) {
  const ownId = useId()
  const controlId = id ?? ownId
  const noteId = `${controlId}-note`
  const notes = [describedBy, (hint ?? error) !== undefined && noteId].filter(Boolean)
  return {
    control: {
      ...control,
      id: controlId,
      'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
      'aria-invalid': error === undefined ? isInvalid : true,
    },
    layout: { controlId, noteId, label, hiddenLabel, optional, hint, error, counter, className },
  }
}

type FieldLayoutProps = FieldProps & { controlId: string; noteId: string; children: ReactNode }

/** Lays out a control with its label, and below it the hint or error and the counter. */
function FieldLayout({
  controlId,
  label,
  hiddenLabel,
  optional,
  className,
  children,
  ...notes
}: FieldLayoutProps) {
  return (
    <Stack gap="2" className={classNames(css.field, className)}>
      <label htmlFor={controlId} className={hiddenLabel ? hidden.hidden : undefined}>
        {label}
        {optional === true && <span className={css.optional}> {t`(optional)`}</span>}
      </label>
      {children}
      <Notes {...notes} />
    </Stack>
  )
}

function Notes({
  noteId,
  hint,
  error,
  counter,
}: Pick<FieldLayoutProps, 'noteId' | 'hint' | 'error' | 'counter'>) {
  if ((hint ?? error ?? counter) === undefined) return null
  return (
    <Row align="stretch" className={css.notes}>
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
    </Row>
  )
}
