import type { ReactNode } from 'react'
import layout from '#web/styles/layout.module.css'
import { classNames } from './class-names.ts'
import css from './facts.module.css'

/** A list of facts in rows. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classNames(layout.ruleAbove, css.facts)}>{children}</dl>
}

/** A name, a dotted leader and a value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
