import { classNames } from './class-names.ts'
import css from './leader.module.css'

/** The dots between a name and its price, which fill the rest of the row. `onlyWide` hides them on a phone. */
export function Leader({ onlyWide = false }: { onlyWide?: boolean }) {
  return <span className={classNames(css.leader, onlyWide && css.onlyWide)} aria-hidden="true" />
}
