import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Announcer } from '#web/ui/announcer.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { SiteBanner } from '#web/ui/site-banner.tsx'
import { ToastHost } from '#web/ui/toast-host.tsx'
import { Footer } from './footer.tsx'
import css from './member-shell.module.css'
import { NavBar, type Unread } from './nav-bar.tsx'

type MemberShellProps = {
  unread?: Unread
  /** The screen fills the window's height without a footer: always, or where a list is beside its open item. */
  fills?: 'always' | 'besideList' | false
  /** A notice above every screen. */
  notice?: ReactNode
  children: ReactNode
}

/** The app shell: navigation and footer around a member's screen. */
export function MemberShell({ unread = {}, fills = false, notice, children }: MemberShellProps) {
  return (
    <div className={classNames(css.shell, fills === 'always' && css.filled, fills && css.filledBesideList)}>
      <a className={css.skip} href="#main">
        {t`Skip to content`}
      </a>
      <SiteBanner />
      <NavBar unread={unread} />
      {notice}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ToastHost />
      {fills !== 'always' && <Footer />}
      <Announcer />
    </div>
  )
}
