import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './field-pair.module.css'

/** Two short fields side by side, if there is room. `wide` is for times, which do not shrink. */
export function FieldPair({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <div className={classNames(css.pair, wide && css.wide)}>{children}</div>
}
