import { createLink } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import css from './button.module.css'
import { type ButtonShape, buttonClass, type IconButtonVariant, iconButtonClass } from './button-class.ts'
import { classNames } from './class-names.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> &
  ButtonShape & {
    /** The label while the action runs, such as 'Loading...'. The button keeps its width and the focus. */
    busy?: string | false | undefined
  }

export function Button({
  variant,
  size,
  wide,
  busy = false,
  type = 'button',
  onClick,
  children,
  ...button
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    // Prevents a second submit, also by the Enter key.
    if (busy !== false || button['aria-disabled']) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...button}
      type={type}
      className={classNames(buttonClass({ variant, size, wide }), busy !== false && css.busy)}
      aria-disabled={busy !== false || button['aria-disabled']}
      onClick={press}
    >
      <Label busy={busy}>{children}</Label>
    </button>
  )
}

function Label({ busy, children }: { busy: string | false; children: ReactNode }) {
  if (busy === false) return children
  return (
    <span className={css.stack}>
      <span className={css.idleLabel}>{children}</span>
      <span className={css.busyLabel}>{busy}</span>
    </span>
  )
}

type AnchorButtonProps = Omit<ComponentProps<'a'>, 'className'> & ButtonShape

function AnchorButton({ variant, size, wide, ...anchor }: AnchorButtonProps) {
  return <a {...anchor} className={buttonClass({ variant, size, wide })} />
}

/** A `<Link>` that looks like a button. */
export const ButtonLink = createLink(AnchorButton)

type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'aria-label'> & {
  label: string
  variant?: IconButtonVariant
}

export function IconButton({ label, variant, className, ...button }: IconButtonProps) {
  return (
    <button
      {...button}
      type="button"
      aria-label={label}
      className={classNames(iconButtonClass(variant), className)}
    />
  )
}

type AnchorIconProps = Omit<ComponentProps<'a'>, 'aria-label'> & {
  label: string
  variant?: IconButtonVariant
}

function AnchorIcon({ label, variant, className, children, ...anchor }: AnchorIconProps) {
  return (
    <a {...anchor} className={classNames(iconButtonClass(variant), className)}>
      {children}
      <VisuallyHidden>{label}</VisuallyHidden>
    </a>
  )
}

/** A `<Link>` with an icon, such as the arrow back. */
export const IconLink = createLink(AnchorIcon)
