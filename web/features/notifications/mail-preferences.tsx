import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { defaultMatchRadius } from '#contract/constants.ts'
import { type Preferences, updatePreferences } from '#contract/profile.ts'
import { call } from '#web/api/client.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { distances, fromMiles, toMiles, withinDistance } from '#web/features/listings/distance.ts'
import { PlaceNote } from '#web/features/members/place-note.tsx'
import { preferencesQuery } from '#web/features/members/preferences-query.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SelectField } from '#web/ui/field.tsx'
import { checkOf, Form, fieldOf } from '#web/ui/form.tsx'
import { GroupHead } from '#web/ui/group-head.tsx'
import { Stack } from '#web/ui/layout.tsx'
import css from './mail-preferences.module.css'

const frequencies = () => [
  { value: 'at_once', label: t`at once` },
  { value: 'daily', label: t`daily` },
  { value: 'never', label: t`never` },
]

const anywhere = () => ({ value: '', label: t`anywhere` })

/** The radius is the text of a select, in the site's unit of distance, empty for anywhere. The time zone comes from the browser. */
interface Fields extends Omit<Preferences, 'match_radius' | 'time_zone'> {
  readonly match_radius: string
}

export function MailPreferences() {
  const { data, isError, refetch } = useQuery(preferencesQuery)
  return (
    <section className={layout.above6} aria-labelledby="mail-preferences">
      <GroupHead id="mail-preferences" icon="mail" title={t`mail`} />
      {data !== undefined && <PreferencesForm preferences={data} />}
      {data === undefined && isError && <ErrorState text={t`Failed to load data`} onRetry={refetch} />}
    </section>
  )
}

function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const client = useQueryClient()
  const values = valuesOf(preferences)
  const form = useForm({ defaultValues: values, values, resetOptions: { keepDirtyValues: true } })
  const { isDirty, dirtyFields, isSubmitting } = form.formState
  const submit = useSubmit(form, {
    async send({ match_radius, ...rest }) {
      const fields = { ...rest, match_radius: match_radius === '' ? null : toMiles(Number(match_radius)) }
      const changed = Object.entries(fields).filter(([name]) => dirtyFields[name as keyof Fields])
      const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
      const body = { ...Object.fromEntries(changed), time_zone }
      const saved = await call(client, updatePreferences, { body })
      client.setQueryData(preferencesQuery.queryKey, saved)
      form.reset(valuesOf(saved))
    },
    toast: t`Mail preferences saved`,
  })
  return (
    <Form form={form} className={layout.above4} onSubmit={submit}>
      <Stack className={css.fields}>
        <SelectField
          label={t`Matches with my wish list`}
          options={frequencies()}
          {...fieldOf(form, 'mail_matches')}
        />
        <SelectField
          label={t`How far away`}
          options={radiusOptions(preferences.match_radius)}
          hint={<RadiusHint />}
          {...fieldOf(form, 'match_radius')}
        />
      </Stack>
      <Check label={t`Unread messages`} {...checkOf(form, 'mail_unread')} />
      <Check
        label={t`My listings that end soon, and lower prices of those I asked about`}
        {...checkOf(form, 'mail_listings')}
      />
      <Check label={t`Steps of my trades`} {...checkOf(form, 'mail_trades')} />
      <p>
        <Button
          type="submit"
          variant="secondary"
          size="small"
          // Not `disabled`, so that the button keeps the focus after saving.
          aria-disabled={!isDirty}
          busy={isSubmitting && t`Saving...`}
        >
          {t`save mail preferences`}
        </Button>
      </p>
    </Form>
  )
}

function valuesOf({ match_radius, time_zone: _, ...rest }: Preferences): Fields {
  return { ...rest, match_radius: match_radius === null ? '' : String(fromMiles(match_radius)) }
}

/** Says what the radius leaves in: matches are told also where a distance is not known. */
function RadiusHint() {
  const { data: me } = useQuery(profileQuery)
  if (me === undefined || me.location_known) return t`Also of listings whose place we do not know.`
  return (
    <>
      {t`Until we know your place, you hear of matches anywhere.`} <PlaceNote me={me} />
    </>
  )
}

/** Returns the standard radii, the default one, and the member's own if it is another. */
function radiusOptions(own: number | null) {
  const known = [...distances(), fromMiles(defaultMatchRadius), ...(own === null ? [] : [fromMiles(own)])]
  const radii = [...new Set(known)].sort((a, b) => a - b)
  return [anywhere(), ...radii.map((radius) => ({ value: String(radius), label: withinDistance(radius) }))]
}
