import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import wordmark from '#web/art/logo/wordmark-on-dark.svg'
import border from '#web/art/scenes/border.svg'
import border1280 from '#web/art/scenes/border-1280.avif'
import border2560 from '#web/art/scenes/border-2560.avif'
import { Announcer } from '#web/ui/announcer.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { LanguageLinks } from '#web/ui/language-links.tsx'
import css from './auth-layout.module.css'
import { SiteBanner } from './site-banner.tsx'
import { SiteName, useHomeLabel } from './site-name.tsx'

type AuthLayoutProps = { roomy?: boolean; wide?: boolean; children: ReactNode }

/** The layout of the pages outside of the app shell: a panel 360 pixels wide, 440 if `roomy`, 640 if `wide`. */
export function AuthLayout({ roomy = false, wide = false, children }: AuthLayoutProps) {
  const home = useHomeLabel()
  return (
    <div className={css.background}>
      <SiteBanner />
      <main id="main" tabIndex={-1} className={css.center}>
        <div className={classNames(css.panel, roomy && css.roomy, wide && css.wide)}>
          <div className={css.top}>
            <a href="/" aria-label={home}>
              <SiteName drawn={<img src={wordmark} alt="" width="190" height="40" />} />
            </a>
          </div>
          <div className={css.inside}>{children}</div>
        </div>
        <nav className={css.languages} aria-label={t`Language`}>
          <LanguageLinks />
        </nav>
      </main>
      <picture>
        <source
          type="image/avif"
          srcSet={`${border1280} 1280w, ${border2560} 2560w`}
          sizes="(min-width: 769px) 100vw, 730px"
        />
        <img className={css.border} src={border} alt="" width="1280" height="220" />
      </picture>
      <Announcer />
    </div>
  )
}
