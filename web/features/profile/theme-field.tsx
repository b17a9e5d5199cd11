import { t } from '@lingui/core/macro'
import layout from '#web/styles/layout.module.css'
import { SelectField } from '#web/ui/field.tsx'
import { chooseTheme, isTheme, useTheme } from '#web/ui/theme.ts'

/** Chooses light or dark screens on this device. */
export function ThemeField() {
  return (
    <div className={layout.above6}>
      <SelectField
        label={t`Appearance`}
        hint={t`On this device.`}
        value={useTheme() ?? ''}
        options={[
          { value: '', label: t`like the device` },
          { value: 'light', label: t`light` },
          { value: 'dark', label: t`dark` },
        ]}
        onChange={({ currentTarget: { value } }) => chooseTheme(isTheme(value) ? value : undefined)}
      />
    </div>
  )
}
