import css from './wants-intro.module.css'

/** Introduces the want list. */
export function WantsIntro() {
  return <p className={css.intro}>We send a notification when a neighbor lists one of these.</p>
}
