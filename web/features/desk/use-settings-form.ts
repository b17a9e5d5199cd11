import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type PathValue, useForm } from 'react-hook-form'
import { type CurrentSettings, type SavedSettings, saveSiteSettings } from '#contract/site-settings.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { refreshDesk, siteSettingsQuery } from './desk-queries.ts'

interface FormOptions<Fields extends FieldValues> {
  readonly site: CurrentSettings
  /** Returns the fields that show settings. */
  readonly fieldsOf: (settings: CurrentSettings['settings']) => Fields
  /** Returns the settings for what was typed. */
  readonly read: (fields: Fields) => Omit<SavedSettings, 'version'>
  /** The fields that show the errors of the server's fields with other names. */
  readonly places?: Readonly<Record<string, string>>
}

/**
 * Returns a form of some settings and its submit handler. If others are saved in the meantime, fields in which nothing is typed show them.
 * If one in which something is typed has changed, the first save is refused, and what was typed stays.
 */
export function useSettingsForm<Fields extends FieldValues>({
  site,
  fieldsOf,
  read,
  places = {},
}: FormOptions<Fields>) {
  const client = useQueryClient()
  const fields = fieldsOf(site.settings)
  const form = useForm<Fields>({
    defaultValues: fields as DefaultValues<Fields>,
    reValidateMode: 'onSubmit',
  })
  const [isSaved, setSaved] = useState(false)
  /** The settings that the form has shown, and their version. What differs from them is typed, and may be overwritten by another operator. */
  const shown = useRef({ fields, version: site.version, isOverwritten: false })

  function show(current: CurrentSettings, keepTyped: boolean) {
    const next = fieldsOf(current.settings)
    const names = Object.keys(next) as Path<Fields>[]
    const typed = names.filter((name) => form.getValues(name) !== shown.current.fields[name])
    for (const name of names)
      if (!(keepTyped && typed.includes(name)))
        form.setValue(name, next[name] as PathValue<Fields, Path<Fields>>)
    const isOverwritten =
      keepTyped &&
      typed.length > 0 &&
      (shown.current.isOverwritten || typed.some((name) => next[name] !== shown.current.fields[name]))
    const version = isOverwritten ? shown.current.version : current.version
    shown.current = { fields: next, version, isOverwritten }
  }
  useEffect(() => show(site, true))

  const submit = useSubmit(form, {
    async send(typed) {
      setSaved(false)
      try {
        const { version } = shown.current
        return await call(client, saveSiteSettings, { body: { version, ...read(typed) } })
      } catch (error) {
        await refreshDesk(client)
        const newest = client.getQueryData(siteSettingsQuery.queryKey)
        if (newest) shown.current = { ...shown.current, version: newest.version, isOverwritten: false }
        throw error
      }
    },
    async leave(saved) {
      show(saved, false)
      setSaved(true)
      client.setQueryData(siteSettingsQuery.queryKey, saved)
      await refreshDesk(client)
    },
    failure: { places },
  })
  return { form, submit, isSaved, busy: form.formState.isSubmitting && t`Saving...` }
}
