import { t } from '@lingui/core/macro'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import layout from '#web/styles/layout.module.css'
import { classNames } from './class-names.ts'
import css from './inbox-row.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The list of `InboxRow`s. `afterHead` leaves out the rule above it, where the rule of the title is. */
export function InboxRows({ afterHead = false, children }: { afterHead?: boolean; children: ReactNode }) {
  return <ul className={classNames(!afterHead && layout.ruleAbove, css.rows)}>{children}</ul>
}

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
      <VisuallyHidden>{count === undefined ? t`unread` : t`${count} unread`}</VisuallyHidden>
    </>
  )
}
