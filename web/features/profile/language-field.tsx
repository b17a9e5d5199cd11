import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { isLanguage, type Language, languageNames, languages } from '#contract/languages.ts'
import { useAction } from '#web/api/use-action.ts'
import { language } from '#web/i18n/i18n.ts'
import { storeLanguage } from '#web/i18n/store-language.ts'
import layout from '#web/styles/layout.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { SelectField } from '#web/ui/field.tsx'
import { sendChanges } from './save-profile.ts'

/** Changes the language of the screens, mails and notifications. Loads the page again in the new one. */
export function LanguageField() {
  const client = useQueryClient()
  const change = useAction((chosen: Language) => sendChanges(client, { language: chosen }), {
    onSuccess: (_, chosen) => {
      storeLanguage(chosen)
      location.reload()
    },
  })
  return (
    <div className={layout.above6}>
      <SelectField
        label={t`Language`}
        hint={t`Also of your mails and notifications.`}
        defaultValue={language()}
        options={languageNames.map((name) => ({ value: name, label: languages[name] }))}
        onChange={({ currentTarget: { value } }) => isLanguage(value) && change.mutate(value)}
      />
      <ActionFailure>{change.failure}</ActionFailure>
    </div>
  )
}
