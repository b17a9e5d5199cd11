import css from './leader.module.css'

/** The dots between a name and its price, which fill the rest of the row. */
export function Leader() {
  return <span className={css.leader} aria-hidden="true" />
}
