import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  type CurrentSettings,
  restoreSettings,
  type SettingsVersion,
  type SiteLogo,
  type SiteSetting,
  siteSettingNames,
} from '#contract/site-settings.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { formatNumber } from '#web/i18n/formats.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { announce } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { refreshDesk, settingsVersionsQuery } from './desk-queries.ts'
import { actionTexts, registrationTexts } from './desk-texts.ts'
import { settingLabel } from './setting-label.ts'
import css from './site-logo.module.css'

/** Lists the saved versions of the settings, to restore one. */
export function SettingsHistory({ site }: { site: CurrentSettings }) {
  const versions = useInfiniteList(settingsVersionsQuery)
  const [restored, setRestored] = useState<number>()
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="history">
      <SectionTitle id="history">{t`History`}</SectionTitle>
      <PagedList
        list={versions}
        skeleton={<RowsSkeleton />}
        empty={<p className={text.none}>{t`Nobody has saved settings here yet.`}</p>}
        failure={t`Failed to load data`}
        of={t`versions`}
      >
        {(items) => (
          <ul>
            {items.map((version) => (
              <Version
                key={version.version}
                version={version}
                onRestore={version.version === site.version ? undefined : setRestored}
              />
            ))}
          </ul>
        )}
      </PagedList>
      {site.version > 0 && (
        <div>
          <Button variant="quiet" size="small" onClick={() => setRestored(0)}>
            {t`restore the settings before all of these`}
          </Button>
        </div>
      )}
      {restored !== undefined && (
        <RestoreDialog version={site.version} restores={restored} onClose={() => setRestored(undefined)} />
      )}
    </Stack>
  )
}

type VersionProps = {
  version: SettingsVersion
  onRestore: ((version: number) => void) | undefined
}

function Version({ version, onRestore }: VersionProps) {
  const { actor, created_at, restores, before, after } = version
  const changed = siteSettingNames.filter((name) => name in after || name in before)
  return (
    <Stack as="li" gap="1" align="start" className={classNames(layout.listItem, text.breakable)}>
      <p>
        <bdi>{actor === null ? t`the server` : (actor.username ?? t`someone who has left`)}</bdi>{' '}
        <span className={text.muted}>
          <Time at={created_at} format={shortTime} />
          {restores !== null && ` · ${t`restored`}`}
        </span>
      </p>
      {changed.map((name) => (
        <p key={name}>
          {settingLabel(name)}: <del dir="auto">{shownValue(name, before)}</del>{' '}
          <ins dir="auto">{shownValue(name, after)}</ins>
        </p>
      ))}
      {onRestore && (
        <Button variant="quiet" size="small" onClick={() => onRestore(version.version)}>
          {t`restore this version`}
        </Button>
      )}
    </Stack>
  )
}

/** The most characters that the history shows of a text. */
const shownLength = 200

function shownValue(name: SiteSetting, settings: SettingsVersion['after']): ReactNode {
  const { [name]: value, registration } = settings
  if (name === 'registration' && registration !== undefined) return textOf(registrationTexts[registration])
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (isLogo(value))
    return (
      <img
        className={css.logo}
        src={value.src}
        alt={t`Logo`}
        width={value.width}
        height={value.height}
        loading="lazy"
      />
    )
  const shown = Array.isArray(value)
    ? value.map(({ name, url }) => `${name} ${url}`).join(', ')
    : (value ?? '')
  if (shown === '') return t`nothing`
  return shown.length > shownLength ? `${shown.slice(0, shownLength)}…` : shown
}

function isLogo(value: SettingsVersion['after'][SiteSetting]): value is SiteLogo {
  return typeof value === 'object' && value !== null && 'src' in value
}

type RestoreDialogProps = { version: number; restores: number; onClose: () => void }

function RestoreDialog({ version, restores, onClose }: RestoreDialogProps) {
  const client = useQueryClient()
  const { announcement } = useAppContext()
  const restore = useMutation({
    mutationFn: () => call(client, restoreSettings, { body: { version, restores } }),
    onSuccess() {
      announce(announcement, textOf(actionTexts.site_restored))
      onClose()
    },
    onSettled: () => refreshDesk(client),
  })
  return (
    <ConfirmDialog
      title={t`Restore these settings?`}
      action={t`restore`}
      busy={restore.isPending && t`Saving...`}
      error={restore.error ? errorText(restore.error) : undefined}
      onConfirm={() => restore.mutate()}
      onClose={onClose}
    >
      {t`All settings become those of that time. The history keeps what is now.`}
    </ConfirmDialog>
  )
}
