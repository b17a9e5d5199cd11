import css from './leader.module.css'

/** The dots that join a name to its price. Takes what room there is in a row. */
export function Leader() {
  return <span className={css.leader} aria-hidden="true" />
}
