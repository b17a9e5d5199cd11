import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { pauseDays } from '#contract/pauses.ts'
import { siteRuleNames } from '#contract/report-cases.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { SelectField, TextField } from '#web/ui/field.tsx'
import { ruleTexts } from './desk-texts.ts'

/** Chooses the rule of the site that a decision of the desk is about. */
export function RuleField(field: Omit<ComponentProps<typeof SelectField>, 'label' | 'options'>) {
  return (
    <SelectField
      label={t`Rule`}
      options={siteRuleNames.map((value) => ({ value, label: textOf(ruleTexts[value]) }))}
      {...field}
    />
  )
}

/** Takes the days of a pause. */
export function PauseDaysField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label={t`Days`}
      hint={t`From 1 to ${{ max: pauseDays }}. Until then no messages to strangers, and no new listings.`}
      inputMode="numeric"
      {...field}
    />
  )
}

/** Takes the days of a suspension. */
export function DaysField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return <TextField label={t`Days`} hint={t`Leave it empty for no end.`} inputMode="numeric" {...field} />
}
