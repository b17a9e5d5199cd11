import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type CurrentSettings, openSwapDay } from '#contract/site-settings.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { checkOf, Form, fieldOf } from '#web/ui/form.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { refreshDesk } from './desk-queries.ts'
import { settingTexts } from './desk-texts.ts'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'

const count = { inputMode: 'numeric', read: readNumber, min: 0 } as const

/** The limits against spam. */
export function LimitSettings({ site }: { site: CurrentSettings }) {
  const section = useSettingsForm({
    site,
    fieldsOf: (settings) => ({
      first_contacts_unconfirmed: String(settings.first_contacts_unconfirmed),
      first_contacts_first_week: String(settings.first_contacts_first_week),
      first_contacts_later: String(settings.first_contacts_later),
      equal_texts: String(settings.equal_texts),
      registrations_per_hour: String(settings.registrations_per_hour),
      hold_first_listings: settings.hold_first_listings,
    }),
    read: (fields) => ({
      first_contacts_unconfirmed: readNumber(fields.first_contacts_unconfirmed),
      first_contacts_first_week: readNumber(fields.first_contacts_first_week),
      first_contacts_later: readNumber(fields.first_contacts_later),
      equal_texts: readNumber(fields.equal_texts),
      registrations_per_hour: readNumber(fields.registrations_per_hour),
      hold_first_listings: fields.hold_first_listings,
    }),
  })
  const { form } = section
  return (
    <SettingsSection title={t`Limits`} {...section}>
      <NumberField
        label={textOf(settingTexts.first_contacts_unconfirmed)}
        {...count}
        {...fieldOf(form, 'first_contacts_unconfirmed')}
      />
      <NumberField
        label={textOf(settingTexts.first_contacts_first_week)}
        {...count}
        {...fieldOf(form, 'first_contacts_first_week')}
      />
      <NumberField
        label={textOf(settingTexts.first_contacts_later)}
        {...count}
        {...fieldOf(form, 'first_contacts_later')}
      />
      <NumberField label={textOf(settingTexts.equal_texts)} {...count} {...fieldOf(form, 'equal_texts')} />
      <NumberField
        label={textOf(settingTexts.registrations_per_hour)}
        {...count}
        {...fieldOf(form, 'registrations_per_hour')}
      />
      <Check label={textOf(settingTexts.hold_first_listings)} {...checkOf(form, 'hold_first_listings')} />
    </SettingsSection>
  )
}

/** Opens the site to a seed swap, whose visitors register through one network. */
export function SwapDay({ site: { swap_day_until: until } }: { site: CurrentSettings }) {
  const client = useQueryClient()
  const form = useForm({ defaultValues: { hours: '6' }, reValidateMode: 'onSubmit' })
  const submit = useSubmit(form, {
    send: ({ hours }) => call(client, openSwapDay, { body: { hours: readNumber(hours) } }),
    leave: () => refreshDesk(client),
  })
  const { isSubmitting } = form.formState
  return (
    <Stack as="section" gap="3" className={layout.section} aria-labelledby="swap-day">
      <SectionTitle id="swap-day">{t`Swap day`}</SectionTitle>
      <p>{t`The visitors of a swap share one network. For some hours, up to 500 an hour can register.`}</p>
      <Form form={form} onSubmit={submit} gap="3">
        <NumberField label={t`Hours`} {...count} {...fieldOf(form, 'hours')} />
        <div>
          <Button type="submit" variant="secondary" busy={isSubmitting && t`Saving...`}>
            {t`open a swap day`}
          </Button>
        </div>
        <p role="status">
          {until !== null && (
            <Trans>
              A swap day is on until <Time at={until} format={shortTime} />
            </Trans>
          )}
        </p>
      </Form>
    </Stack>
  )
}
