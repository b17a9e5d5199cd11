import type { ReactNode } from 'react'
import { Announcer } from '#web/ui/announcer.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ToastHost } from '#web/ui/toast-host.tsx'
import { Footer } from './footer.tsx'
import css from './member-shell.module.css'
import { NavBar, type Unread } from './nav-bar.tsx'

type MemberShellProps = {
  unread?: Unread
  /** A screen that fills the height, such as a conversation, has no footer. */
  footer?: boolean
  /** A notice above every screen. */
  notice?: ReactNode
  children: ReactNode
}

/** The app shell: navigation and footer around a member's screen. */
export function MemberShell({ unread = {}, footer = true, notice, children }: MemberShellProps) {
  return (
    <div className={classNames(css.shell, !footer && css.filled)}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <NavBar unread={unread} />
      {notice}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {footer && <Footer />}
      <ToastHost />
      <Announcer />
    </div>
  )
}
