import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type CurrentSettings, saveSiteLogo, saveSiteSettings } from '#contract/site-settings.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { PhotoInput } from '#web/features/profile/photo-input.tsx'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorNote } from '#web/ui/error-note.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { refreshDesk } from './desk-queries.ts'
import { settingTexts } from './desk-texts.ts'
import css from './site-logo.module.css'

/** A picture that stands for the drawn name. It is saved when it is chosen: the history has the way back. */
export function LogoSettings({ site: { version, settings } }: { site: CurrentSettings }) {
  const client = useQueryClient()
  const id = useId()
  const hint = useId()
  const { logo, name } = settings
  /** Saves a picture, or removes it. */
  const save = useMutation({
    mutationFn: (file: File | null) =>
      file === null
        ? call(client, saveSiteSettings, { body: { version, logo: null } })
        : call(client, saveSiteLogo, { body: { version }, file }),
    onSettled: () => refreshDesk(client),
  })
  return (
    <Stack as="section" gap="3" className={layout.section} aria-labelledby={id}>
      <SectionTitle id={id}>{textOf(settingTexts.logo)}</SectionTitle>
      {logo === null ? (
        <p className={text.muted}>{t`There is none: pages and mails show the name.`}</p>
      ) : (
        <img className={css.logo} src={logo.src} alt={name} width={logo.width} height={logo.height} />
      )}
      <Cluster gap="2">
        <PhotoInput describedBy={hint} onChoose={(file) => save.mutate(file)}>
          {logo === null ? t`choose a logo` : t`choose another logo`}
        </PhotoInput>
        {logo !== null && (
          <Button
            variant="quiet"
            size="small"
            busy={save.isPending && t`Saving...`}
            onClick={() => save.mutate(null)}
          >
            {t`remove the logo`}
          </Button>
        )}
      </Cluster>
      <div id={hint}>
        <p className={classNames(text.caption, text.muted)}>
          {t`A wide picture on white is best. It replaces the name in pages and mails as soon as you have chosen it.`}
        </p>
      </div>
      <p role="status">
        {save.isPending && t`Saving...`}
        {save.isSuccess && t`The settings are saved.`}
      </p>
      {save.error && (
        <div role="alert">
          <ErrorNote>{errorText(save.error)}</ErrorNote>
        </div>
      )}
    </Stack>
  )
}
