import { Trans } from '@lingui/react/macro'
import { useHydrated, useRouter } from '@tanstack/react-router'
import text from '#web/styles/text.module.css'
import { Banner } from '#web/ui/banner.tsx'

/** Warns of an address that is not the public URL, where the server accepts neither the cookie of photos nor sockets. */
export function OtherAddress() {
  const { canonicalUrl } = useRouter().options.context.site
  const isHydrated = useHydrated()
  if (!isHydrated || canonicalUrl === undefined || canonicalUrl === location.origin) return null
  return (
    <Banner kind="notice">
      <Trans>
        Photos and new messages do not come at this address, {location.origin}. Please open{' '}
        <a href={canonicalUrl} className={text.link}>
          {canonicalUrl}
        </a>
        .
      </Trans>
    </Banner>
  )
}
