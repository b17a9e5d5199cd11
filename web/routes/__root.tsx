import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  createRootRouteWithContext,
  HeadContent,
  Outlet,
  Scripts,
  useLocation,
  useMatches,
  useRouter,
} from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type ReactNode, useEffect } from 'react'
import mark from '#web/art/logo/mark.svg'
import type { AppContext } from '#web/context/app-context.ts'
import type { Site } from '#web/context/site.ts'
import { OtherAddress } from '#web/features/shell/other-address.tsx'
import italicFont from '#web/fonts/besley-italic.woff2'
import font from '#web/fonts/besley-normal.woff2'
import { bootstrapScript, landingScript } from './-bootstrap-script.ts'
import '#web/styles/base.css'
import { directionOf } from '#contract/languages.ts'
import { language, locale } from '#web/i18n/i18n.ts'
import { focusPressedButton } from '#web/ui/focus-pressed-button.ts'
import { markHydrated } from '#web/ui/hydrated.ts'
import { watchKeyboard } from '#web/ui/on-screen-keyboard.ts'
import { PageTitle } from '#web/ui/title.tsx'
import { FailedPage } from './-failed-screen.tsx'

export const Route = createRootRouteWithContext<AppContext>()({
  head: ({ match, matches }) => ({
    meta: [
      { charSet: 'utf-8' },
      {
        name: 'viewport',
        // `interactive-widget` shrinks the page for a phone's keyboard. Safari does not know it: web/ui/on-screen-keyboard.ts.
        content:
          'width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content',
      },
      { name: 'description', content: describe(match.context.site) },
      { name: 'theme-color', content: '#6B1A30' },
      { property: 'og:site_name', content: match.context.site.name },
      { property: 'og:title', content: match.context.site.name },
      { property: 'og:description', content: describe(match.context.site) },
      { property: 'og:type', content: 'website' },
      // Crawlers need absolute URLs.
      { property: 'og:url', content: match.context.site.publicUrl + (matches.at(-1)?.pathname ?? '/') },
      {
        property: 'og:image',
        content: match.context.site.publicUrl + (match.context.site.logo?.jpeg ?? '/icons/icon-512.png'),
      },
      ...(match.context.site.logo === null
        ? []
        : [{ property: 'og:image:alt', content: match.context.site.name }]),
    ],
    links: [
      { rel: 'icon', href: mark, type: 'image/svg+xml' },
      { rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' },
      { rel: 'manifest', href: '/manifest.webmanifest' },
      ...[font, italicFont].map((href) => ({
        rel: 'preload',
        href,
        as: 'font',
        type: 'font/woff2',
        crossOrigin: 'anonymous' as const,
      })),
    ],
  }),
  shellComponent: Document,
  component: Root,
  errorComponent: FailedPage,
})

/** The HTML document. The landing page has only its bootstrap script. */
function Document({ children }: { children: ReactNode }) {
  const router = useRouter()
  const { login, scripts, unreadCount, site } = router.options.context
  const unread = useSelector(unreadCount)
  const isLanding = useLocation({ select: ({ pathname }) => pathname === '/' })
  const member = router.isServer ? login.get()?.user.id : undefined
  const isShell = useMatches({ select: (matches) => matches.some(({ ssr }) => ssr === false) })
  // The service worker stores only pages with this mark.
  const isForEveryone = router.isServer && member === undefined && (isLanding || isShell)
  // The browser's build leaves the functions out.
  const script = import.meta.env.SSR ? (isLanding ? landingScript() : bootstrapScript(member, scripts)) : ''
  return (
    <html
      lang={locale()}
      dir={directionOf(language())}
      data-member={member}
      data-for-everyone={isForEveryone || undefined}
      suppressHydrationWarning
    >
      <head>
        <HeadContent />
        <PageTitle unread={unread} />
        <script
          nonce={router.options.ssr?.nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the source text of one of our functions
          dangerouslySetInnerHTML={{ __html: script }}
        />
      </head>
      <body>
        <div id="root">{children}</div>
        {!isLanding && (
          <>
            <p className="slow-loading">
              <Trans>
                This page takes long to come. You can wait, or{' '}
                {/* biome-ignore lint/a11y/useValidAnchor: an empty href links to the current page */}
                <a href="">try again</a>.
              </Trans>
            </p>
            <noscript>
              <Trans>
                {{ site: site.name }} needs JavaScript here. The <a href="/">front page</a> reads without it.
              </Trans>
            </noscript>
            <Scripts />
          </>
        )}
      </body>
    </html>
  )
}

/** Returns the sentence of the site for pages that link to it. */
function describe({ name, sentence }: Site): string {
  return sentence === '' ? t`${{ site: name }}, a free market for neighbors who garden.` : sentence
}

function Root() {
  useEffect(markHydrated, [])
  useEffect(watchKeyboard, [])
  useEffect(focusPressedButton, [])
  return (
    <>
      <OtherAddress />
      <Outlet />
    </>
  )
}
