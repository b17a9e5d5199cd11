import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import css from './news-row.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type NewsAnchorProps = Omit<ComponentProps<'a'>, 'className'> & { unread: boolean }

function NewsAnchor({ unread, ...anchor }: NewsAnchorProps) {
  return <a {...anchor} className={css.row} data-unread={unread || undefined} />
}

/**
 * A row of what came in, such as a conversation: a picture, what it says, and perhaps a last column. All of it leads there.
 * Takes what `<Link>` takes. What is in it may look otherwise under `[data-unread]`.
 */
export const NewsRow = createLink(NewsAnchor)

/** Says that a row is unread, also to those who do not see its color. */
export function UnreadDot({ count }: { count?: number }) {
  return (
    <>
      <span className={css.dot} aria-hidden="true" />
      <VisuallyHidden>{count === undefined ? 'unread' : `${count} unread`}</VisuallyHidden>
    </>
  )
}
