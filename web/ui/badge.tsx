import css from './badge.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** Shows the unread count: nothing at 0, '99+' above 99. */
export function Badge({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <>
      <span className={css.badge} aria-hidden="true">
        {count > 99 ? '99+' : count}
      </span>
      <VisuallyHidden>{count} unread</VisuallyHidden>
    </>
  )
}
