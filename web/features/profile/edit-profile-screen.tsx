import { t } from '@lingui/core/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useMemo, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { Profile } from '#contract/auth.ts'
import { profileChangesIn } from '#contract/profile.ts'
import { errorText } from '#web/api/api-error.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useReopenToast } from '#web/features/drafts/use-reopen-toast.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { PhotoNotSent } from '#web/features/images/photo-list.ts'
import { BlockedMembers } from '#web/features/members/blocked-members.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { PasswordForm, PasswordNotSaved, useNewPassword } from '#web/features/profile/password-form.tsx'
import { useChosenPhoto, useProfilePhoto } from '#web/features/profile/photo-input.tsx'
import { PhotoUpdate } from '#web/features/profile/photo-update.tsx'
import {
  changesOf,
  fieldsOf,
  type ProfileFields,
  sendChanges,
  sendPhoto,
} from '#web/features/profile/save-profile.ts'
import { region } from '#web/i18n/region.ts'
import { Button } from '#web/ui/button.tsx'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Page } from '#web/ui/page.tsx'
import { LanguageField } from './language-field.tsx'
import css from './profile-section.module.css'
import { ThemeField } from './theme-field.tsx'

export function EditProfileScreen() {
  const { data: me } = useSuspenseQuery(profileQuery)
  return (
    <Page column>
      <EditProfile me={me} />
      <BlockedMembers />
    </Page>
  )
}

/** The form of the profile and the form of the password. Only the server validates the profile. */
function EditProfile({ me }: { me: Profile }) {
  const formId = useId()
  const { form, draft, photo, password, submit } = useProfileForm(me)
  const { errors, isDirty, isSubmitting } = form.formState
  const chosen = useChosenPhoto(photo)

  function discard() {
    draft.discard()
    photo.discard()
  }
  return (
    <>
      <MemberHead
        title={t`edit my profile`}
        back={<BackLink to="/profile" />}
        action={
          <Button
            type="submit"
            form={formId}
            size="small"
            disabled={!isDirty && !password.isTyped && chosen.photo === undefined}
            busy={isSubmitting && t`Saving...`}
          >
            {t`save`}
          </Button>
        }
      />
      {(draft.isRestored || chosen.isRestored) && <RestoredDraftNotice onDiscard={discard} />}
      <Stack as="form" id={formId} noValidate onSubmit={submit} onChange={() => form.clearErrors()}>
        <PhotoUpdate me={me} list={photo} onChoose={() => form.clearErrors()} />
        <FailureBanner text={errors.root?.server?.message} />
        <Fields form={form} />
      </Stack>
      <LanguageField />
      <ThemeField />
      <PasswordForm email={me.email} {...password} />
    </>
  )
}

/** Holds the forms with the draft and the photo. A save uploads the photo, then sends the changed fields, then the password. */
function useProfileForm(me: Profile) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const photo = useProfilePhoto()
  const password = useNewPassword()
  const { country } = region()
  const [initial] = useState(() => fieldsOf(me))
  const form = useForm({ defaultValues: initial })
  const draft = useFormDraft(form, {
    key: 'profile',
    schema: useMemo(() => profileChangesIn(country), [country]),
    saved: initial,
    secret: ['current_password'],
  })
  const showReopenToast = useReopenToast('profile', t`Your profile was not saved.`, { to: '/profile/edit' })
  const submit = useSubmit(form, {
    async send(fields) {
      // The photo is sent once, also if the member has to correct a field.
      await photo
        .submitFile(async (file, onProgress) => file && sendPhoto(client, file, onProgress))
        .catch(throwPhotoNotSent)
      await sendChanges(client, changesOf(initial, fields))
      if (password.isTyped) await password.save()
    },
    draft,
    toast: t`Profile saved`,
    leave: () => navigate({ to: '/profile' }),
    failure: { text: failureText },
    onFailedLater: showReopenToast,
  })
  return { form, draft, photo, password, submit }
}

function throwPhotoNotSent(cause: unknown): never {
  throw new PhotoNotSent({ cause })
}

function failureText(failure: unknown): string | undefined {
  // The form of the password shows why.
  if (failure instanceof PasswordNotSaved) return undefined
  if (failure instanceof PhotoNotSent) return errorText(failure.cause, failure.message)
  return errorText(failure, t`Failed to update profile`)
}

function Fields({ form }: { form: UseFormReturn<ProfileFields> }) {
  const { dirtyFields } = form.formState
  return (
    <Stack className={css.fields}>
      <TextField label={t`First name`} autoComplete="given-name" {...fieldOf(form, 'first_name')} />
      <TextField label={t`Last name`} autoComplete="family-name" {...fieldOf(form, 'last_name')} />
      <TextField
        label={t`Username`}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        {...fieldOf(form, 'username')}
      />
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="email"
        hint={
          dirtyFields.email ? t`We send a link to the new address, to confirm that it is yours.` : undefined
        }
        {...fieldOf(form, 'email')}
      />
      {dirtyFields.email && (
        <PasswordField
          label={t`Current password`}
          autoComplete="current-password"
          {...fieldOf(form, 'current_password')}
        />
      )}
      <TextField label={t`City`} autoComplete="address-level2" {...fieldOf(form, 'city')} />
      <TextField label={t`State`} autoComplete="address-level1" {...fieldOf(form, 'state')} />
      <TextField label={t`Zip code`} autoComplete="postal-code" {...fieldOf(form, 'zip_code')} />
      <TextField
        label={t`Address`}
        optional
        autoComplete="address-line1"
        hint={t`Nobody sees it, until you share it for a pickup.`}
        {...fieldOf(form, 'address')}
      />
      <TextField label={t`Apt`} optional autoComplete="address-line2" {...fieldOf(form, 'apt')} />
    </Stack>
  )
}

export function EditProfileLoading() {
  return (
    <Page column>
      <MemberHead title={t`edit my profile`} back={<BackLink to="/profile" />} />
      <Loading text={t`Loading profile...`} />
    </Page>
  )
}
