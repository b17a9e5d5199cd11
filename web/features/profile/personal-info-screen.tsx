import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { type Profile, personalInfoForm, uploadProfileImage } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { FriendOffer } from '#web/features/friends/friend-offer.tsx'
import { usePhoto } from '#web/features/images/use-photo.ts'
import { PhotoField } from '#web/features/profile/photo-field.tsx'
import { profileQuery } from '#web/features/profile/profile-query.ts'
import { AuthLayout } from '#web/features/shell/auth-layout.tsx'
import text from '#web/styles/text.module.css'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { PageHead } from '#web/ui/page.tsx'
import { isPlainClick } from '#web/ui/plain-click.ts'
import css from './personal-info-screen.module.css'

const empty = { city: '', state: '', postcode: '', address: '', apt: '' }

const locationDraft = z.object({
  city: z.string(),
  state: z.string(),
  postcode: z.string(),
  address: z.string(),
  apt: z.string(),
})

/** Returns the form's known values. The street is never sent back, not even to its member. */
function placeOf({ city, state, zip_code }: Profile) {
  return { ...empty, city: city ?? '', state: state ?? '', postcode: zip_code ?? '' }
}

export function PersonalInfoScreen() {
  const client = useQueryClient()
  const user = useStoredLogin()?.user
  const { next = '/listings/new' } = useSearch({ from: '/personal-info' })
  const navigate = useNavigate()
  const photo = usePhoto()
  const [sent, setSent] = useState<number>()
  const { data: me } = useQuery(profileQuery, client)
  const known = useMemo(() => (me === undefined ? empty : placeOf(me)), [me])
  const form = useForm({
    resolver: zodResolver(personalInfoForm),
    values: known,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
    reValidateMode: 'onSubmit',
  })
  const { errors, isSubmitting } = form.formState
  const draft = useFormDraft(form, {
    key: 'personal-info',
    schema: locationDraft,
    saved: known,
    hasPhoto: photo.photo.step !== 'none',
  })

  async function save({ address, apt, ...place }: z.output<typeof personalInfoForm>) {
    const clearDraft = draft.submit()
    try {
      const file = await photo.prepared()
      // Empty fields are not sent.
      const body = { ...place, address: address || undefined, apt: apt || undefined }
      const profile = await call(client, uploadProfileImage, { body, file }, { onProgress: file && setSent })
      client.setQueryData(profileQuery.queryKey, profile)
      clearDraft()
      await navigate({ href: next })
    } catch (failure) {
      showFailure(form, failure, 'Failed to save your info')
    } finally {
      setSent(undefined)
    }
  }

  return (
    <AuthLayout roomy>
      <PageHead
        title={
          <>
            Hello <span className={css.name}>{user?.username}</span>
          </>
        }
      />
      <div className={css.offer}>
        <FriendOffer />
      </div>
      {draft.isRestored && (
        <RestoredDraftNotice
          onDiscard={draft.discard}
          lacksPhoto={draft.lacksPhoto && photo.photo.step === 'none'}
        />
      )}
      <form
        className={css.form}
        noValidate
        onSubmit={form.handleSubmit(save)}
        onChange={() => form.clearErrors()}
      >
        {errors.root !== undefined && <Banner kind="error">{errors.root.message}</Banner>}
        <PhotoField
          id={user?.id ?? 0}
          name={user?.username ?? ''}
          current={me?.profile_picture}
          choice={photo}
          sent={sent}
        />
        <div className={css.pair}>
          <TextField
            label="City"
            autoComplete="address-level2"
            error={errors.city?.message}
            {...form.register('city')}
          />
          <TextField
            label="State"
            autoComplete="address-level1"
            error={errors.state?.message}
            {...form.register('state')}
          />
        </div>
        <TextField
          label="Postcode"
          autoComplete="postal-code"
          error={errors.postcode?.message}
          {...form.register('postcode')}
        />
        <div className={css.street}>
          <TextField
            label="Address"
            optional
            autoComplete="address-line1"
            error={errors.address?.message}
            {...form.register('address')}
          />
          <TextField
            label="Apt"
            optional
            autoComplete="address-line2"
            error={errors.apt?.message}
            {...form.register('apt')}
          />
        </div>
        <Button type="submit" wide busy={isSubmitting && 'Saving...'}>
          Next &gt;
        </Button>
      </form>
      <p className={css.skip}>
        <a
          href={next}
          className={classNames(text.link, text.standing)}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            void navigate({ href: next })
          }}
        >
          skip for now
        </a>
      </p>
    </AuthLayout>
  )
}
