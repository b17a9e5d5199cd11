import { t } from '@lingui/core/macro'
import { useHydrated, useLocation, useRouter } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { bannerCookie } from '#contract/constants.ts'
import text from '#web/styles/text.module.css'
import { isPlainClick } from './plain-click.ts'
import css from './site-banner.module.css'

const yearSeconds = 31_536_000

/** The operator's banner above all pages, until the browser dismisses it. Its links work without scripts: the server stores the choice in a cookie. */
export function SiteBanner() {
  const { banner } = useRouter().options.context.site
  const { pathname, searchStr } = useLocation()
  const [isDismissed, setDismissed] = useState(false)
  const isHydrated = useHydrated()
  // A page that the service worker has stored may be older than the choice.
  const wasDismissed =
    isHydrated && banner !== undefined && document.cookie.includes(`${bannerCookie}=${banner.id}`)
  if (banner === undefined || isDismissed || wasDismissed) return null
  const { id, text: sentence, link } = banner
  const search = new URLSearchParams(searchStr)
  search.set(bannerCookie, id)

  function dismiss(event: MouseEvent) {
    if (!isPlainClick(event)) return
    event.preventDefault()
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers later
    document.cookie = `${bannerCookie}=${id}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${secure}`
    setDismissed(true)
    document.querySelector('main')?.focus()
  }

  return (
    <aside className={css.banner} aria-label={t`Notice`}>
      <p dir="auto">
        {sentence}
        {link !== '' && (
          <>
            {' '}
            <a href={link} className={text.link}>{t`Read more`}</a>
          </>
        )}
      </p>
      <a href={`${pathname}?${search}`} className={css.dismiss} onClick={dismiss}>
        {t`Dismiss`}
      </a>
    </aside>
  )
}
