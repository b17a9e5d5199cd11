import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import css from './inbox-row.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type InboxAnchorProps = Omit<ComponentProps<'a'>, 'className'> & { unread: boolean }

function InboxAnchor({ unread, ...anchor }: InboxAnchorProps) {
  return <a {...anchor} className={css.row} data-unread={unread || undefined} />
}

/** A `<Link>` row of a conversation or a notification: picture, text and an optional last column. Sets `data-unread` for styles. */
export const InboxRow = createLink(InboxAnchor)

/** Marks a row as unread, also for screen readers. */
export function UnreadDot({ count }: { count?: number }) {
  return (
    <>
      <span className={css.dot} aria-hidden="true" />
      <VisuallyHidden>{count === undefined ? 'unread' : `${count} unread`}</VisuallyHidden>
    </>
  )
}
