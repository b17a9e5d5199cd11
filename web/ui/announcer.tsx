import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import css from './visually-hidden.module.css'

/** The live region of the announcements. It must be in the page before the first one. */
export function Announcer() {
  const { text, count } = useSelector(useRouter().options.context.announcement)
  return (
    <div role="status" className={css.hidden}>
      {/* A new element announces the same text again. */}
      <span key={count}>{text}</span>
    </div>
  )
}
