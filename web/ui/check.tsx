import { useHydrated } from '@tanstack/react-router'
import { type ComponentProps, useId } from 'react'
import text from '#web/styles/text.module.css'
import css from './check.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

type CheckProps = Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: string }

/** A checkbox with a label. A click on the label toggles it. */
export function Check({ label, hint, className, ...input }: CheckProps) {
  const hintId = useId()
  const isHydrated = useHydrated()
  const check = (
    <label className={classNames(css.check, className)} inert={!isHydrated}>
      <input {...input} type="checkbox" aria-describedby={hint === undefined ? undefined : hintId} />
      <span className={css.box}>
        <Icon name="check" size={16} />
      </span>
      {label}
    </label>
  )
  if (hint === undefined) return check
  return (
    <div>
      {check}
      <p id={hintId} className={classNames(text.caption, text.muted, css.hint)}>
        {hint}
      </p>
    </div>
  )
}
