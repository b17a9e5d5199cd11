import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod/mini'
import { type Profile, personalInfoFormIn, uploadProfileImage } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useReopenToast } from '#web/features/drafts/use-reopen-toast.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { FriendOffer } from '#web/features/friends/friend-offer.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { PhotoField } from '#web/features/profile/photo-field.tsx'
import { useChosenPhoto, useProfilePhoto } from '#web/features/profile/photo-input.tsx'
import { region } from '#web/i18n/region.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Form, fieldOf } from '#web/ui/form.tsx'
import { Cluster, Grid } from '#web/ui/layout.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { isPlainClick } from '#web/ui/plain-click.ts'
import css from './personal-info-screen.module.css'
import { storeProfile } from './save-profile.ts'

type PersonalInfoForm = ReturnType<typeof personalInfoFormIn>
type Fields = z.input<PersonalInfoForm>
const empty: Required<Fields> = { city: '', state: '', postcode: '', address: '', apt: '' }

type LocationForm = UseFormReturn<Fields, unknown, z.output<PersonalInfoForm>>

export function PersonalInfoScreen() {
  const user = useStoredLogin()?.user
  const { next, me, form, draft, photo, submit } = usePersonalInfo()
  const { isRestored } = useChosenPhoto(photo)
  const { isSubmitting } = form.formState

  function discard() {
    draft.discard()
    photo.discard()
  }
  return (
    <AuthLayout roomy>
      <PageHead
        title={
          <Trans>
            Hello{' '}
            <span className={css.name} dir="auto">
              {user?.username}
            </span>
          </Trans>
        }
      />
      <div className={css.friendOffer}>
        <FriendOffer />
      </div>
      {(draft.isRestored || isRestored) && <RestoredDraftNotice onDiscard={discard} />}
      <Form form={form} className={layout.above5} onSubmit={submit}>
        <PhotoField
          id={user?.id ?? 0}
          name={user?.username ?? ''}
          current={me?.profile_picture}
          list={photo}
        />
        <LocationFields form={form} />
        <Button type="submit" wide busy={isSubmitting && t`Saving...`}>
          {t`Next >`}
        </Button>
      </Form>
      <SkipLink />
      {next !== undefined && <ReturnLink to={next} />}
    </AuthLayout>
  )
}

/** Holds the form with its draft and photo. A save leads to the `next` page. */
function usePersonalInfo() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const search = useSearch({ from: '/personal-info' })
  const { next } = search
  const photo = useProfilePhoto()
  const { data: me } = useQuery(profileQuery)
  const known = useMemo(() => (me === undefined ? empty : knownFields(me)), [me])
  const { country } = region()
  const schema = useMemo(() => personalInfoFormIn(country), [country])
  const form: LocationForm = useForm({
    resolver: zodResolver(schema),
    defaultValues: known,
    values: known,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
    reValidateMode: 'onSubmit',
  })
  const draft = useFormDraft(form, { key: 'personal-info', schema, saved: known })
  const showReopenToast = useReopenToast('personal-info', t`Your info was not saved.`, {
    to: '/personal-info',
    search,
  })

  const submit = useSubmit(form, {
    async send({ address, apt, ...location }) {
      // Empty fields are not sent.
      const body = { ...location, address: address || undefined, apt: apt || undefined }
      const profile = await photo.submitFile((file, onProgress) =>
        call(client, uploadProfileImage, { body, file }, { onProgress }),
      )
      await storeProfile(client, profile)
    },
    draft,
    leave: () => navigate({ href: next ?? '/listings/new' }),
    failure: { text: t`Failed to save your info` },
    onFailedLater: showReopenToast,
  })
  return { next, me, form, draft, photo, submit }
}

/** Returns the known values of the form. The server never returns the street, not even to its member. */
function knownFields({ city, state, zip_code }: Profile): Fields {
  return { ...empty, city: city ?? '', state: state ?? '', postcode: zip_code ?? '' }
}

function LocationFields({ form }: { form: LocationForm }) {
  return (
    <>
      <Grid columns="7rem" gap="3">
        <TextField label={t`City`} autoComplete="address-level2" {...fieldOf(form, 'city')} />
        <TextField label={t`State`} autoComplete="address-level1" {...fieldOf(form, 'state')} />
      </Grid>
      <TextField label={t`Postcode`} autoComplete="postal-code" {...fieldOf(form, 'postcode')} />
      <Cluster gap="3" align="stretch" className={css.street}>
        <TextField label={t`Address`} optional autoComplete="address-line1" {...fieldOf(form, 'address')} />
        <TextField label={t`Apt`} optional autoComplete="address-line2" {...fieldOf(form, 'apt')} />
      </Cluster>
    </>
  )
}

function SkipLink() {
  return (
    <p className={classNames(text.centered, layout.above2)}>
      <Link to="/listings/new" className={classNames(text.link, text.standalone)}>
        {t`skip for now`}
      </Link>
    </p>
  )
}

/** A link to a path of this site that is known only at run time, so it can not be a typed `<Link>`. */
function ReturnLink({ to }: { to: string }) {
  const navigate = useNavigate()
  return (
    <p className={text.centered}>
      <a
        href={to}
        className={classNames(text.link, text.standalone)}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          void navigate({ href: to })
        }}
      >
        {t`Back to where you were`}
      </a>
    </p>
  )
}
