import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import type { useSettingsForm } from './use-settings-form.ts'

type SettingsSectionProps<Fields extends FieldValues> = ReturnType<typeof useSettingsForm<Fields>> & {
  title: string
  children: ReactNode
}

/** A section of settings with a button that saves them. */
export function SettingsSection<Fields extends FieldValues>({
  title,
  form,
  submit,
  busy,
  isSaved,
  children,
}: SettingsSectionProps<Fields>) {
  const id = useId()
  return (
    <Stack as="section" gap="3" className={layout.section} aria-labelledby={id}>
      <SectionTitle id={id}>{title}</SectionTitle>
      <Form form={form} onSubmit={submit} gap="4">
        {children}
        <div>
          <Button type="submit" variant="secondary" busy={busy}>{t`save`}</Button>
        </div>
        <p role="status">{isSaved && t`The settings are saved.`}</p>
      </Form>
    </Stack>
  )
}
