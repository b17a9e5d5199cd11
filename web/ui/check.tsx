import type { ComponentProps } from 'react'
import css from './check.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

type CheckProps = Omit<ComponentProps<'input'>, 'type'> & { label: string }

/** A checkbox with a label. A click on the label toggles it. */
export function Check({ label, className, ...input }: CheckProps) {
  return (
    <label className={classNames(css.check, className)}>
      <input {...input} type="checkbox" />
      <span className={css.box}>
        <Icon name="check" size={16} />
      </span>
      {label}
    </label>
  )
}
