import { t } from '@lingui/core/macro'
import { type CurrentSettings, registrationModes } from '#contract/site-settings.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { SelectField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { registrationTexts, settingTexts } from './desk-texts.ts'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'

/** Who can register. */
export function RegistrationSettings({ site }: { site: CurrentSettings }) {
  const section = useSettingsForm({
    site,
    fieldsOf: ({ registration }) => ({ registration }),
    read: (fields) => fields,
  })
  return (
    <SettingsSection title={t`Registration`} {...section}>
      <SelectField
        label={textOf(settingTexts.registration)}
        options={registrationModes.map((value) => ({ value, label: textOf(registrationTexts[value]) }))}
        {...fieldOf(section.form, 'registration')}
      />
    </SettingsSection>
  )
}
