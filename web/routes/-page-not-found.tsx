import { t } from '@lingui/core/macro'
import mole from '#web/art/empty/not-found.svg'
import { buttonClass } from '#web/ui/button-class.ts'
import { Stack } from '#web/ui/layout.tsx'
import { Page } from '#web/ui/page.tsx'
import css from './-page-not-found.module.css'

/** The screen of an unknown address. */
export function PageNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <NotFound />
    </main>
  )
}

/** The content of the screen of an unknown address. Its link is a plain one, because the landing page runs without the app. */
export function NotFound() {
  return (
    <Page column>
      <Stack gap="6" align="center" className={css.notFound}>
        <img src={mole} alt="" width="320" height="240" />
        <h1 tabIndex={-1}>{t`Page Not Found`}</h1>
        <a className={buttonClass({})} href="/">
          {t`Go to Home`}
        </a>
      </Stack>
    </Page>
  )
}
