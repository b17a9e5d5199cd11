import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { DeskPage } from './desk-page.tsx'
import { siteSettingsQuery } from './desk-queries.ts'
import { SettingsHistory } from './settings-history.tsx'
import { BannerSettings, ContactSettings, NameSettings } from './site-identity.tsx'
import { LimitSettings, SwapDay } from './site-limits.tsx'
import { LogoSettings } from './site-logo.tsx'
import { PageSettings } from './site-page-settings.tsx'
import { RegistrationSettings } from './site-registration.tsx'

/** The settings of the site, each section with a form of its own, and who has changed them. */
export function SiteScreen() {
  const { data: site, isPending, refetch } = useQuery(siteSettingsQuery)
  return (
    <DeskPage>
      {isPending && <RowsSkeleton />}
      {!isPending && site === undefined && (
        <ErrorState text={t`Failed to load data`} onRetry={() => void refetch()} />
      )}
      {site && (
        <>
          <NameSettings site={site} />
          <LogoSettings site={site} />
          <BannerSettings site={site} />
          <ContactSettings site={site} />
          <RegistrationSettings site={site} />
          <PageSettings site={site} />
          <LimitSettings site={site} />
          <SwapDay site={site} />
          <SettingsHistory site={site} />
        </>
      )}
    </DeskPage>
  )
}
