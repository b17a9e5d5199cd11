import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import type { Profile } from '#contract/auth.ts'
import { errorText } from '#web/api/api-error.ts'
import { showFailure } from '#web/api/form-failure.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useReopenToast } from '#web/features/drafts/use-reopen-toast.ts'
import { usePhoto } from '#web/features/images/use-photo.ts'
import { BlockedMembers } from '#web/features/members/blocked-members.tsx'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { MailPreferences } from '#web/features/profile/mail-preferences.tsx'
import { PasswordForm, useNewPassword } from '#web/features/profile/password-form.tsx'
import { PhotoUpdate } from '#web/features/profile/photo-update.tsx'
import {
  changesOf,
  fieldsOf,
  type ProfileFields,
  sendChanges,
  sendPhoto,
} from '#web/features/profile/save-profile.ts'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Page } from '#web/ui/page.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import css from './profile-section.module.css'

/** Passwords are never stored. */
const profileDraft = z.object({
  first_name: z.string(),
  last_name: z.string(),
  username: z.string(),
  email: z.string(),
  city: z.string(),
  state: z.string(),
  zip_code: z.string(),
})

export function EditProfileScreen() {
  const { data: me } = useSuspenseQuery(profileQuery)
  return (
    <Page column>
      <EditProfile me={me} />
      <MailPreferences />
      <BlockedMembers />
    </Page>
  )
}

/** The form of the profile and the form of the password. Only the server validates the profile. */
function EditProfile({ me }: { me: Profile }) {
  const formId = useId()
  const { form, draft, photo, sent, password, save } = useProfileForm(me)
  const { errors, isDirty, isSubmitting } = form.formState

  function changePhoto() {
    draft.markPhotoChanged()
    form.clearErrors()
  }
  return (
    <>
      <MemberHead
        title="edit my profile"
        back={<BackLink to="/profile" />}
        action={
          <Button
            type="submit"
            form={formId}
            size="small"
            disabled={!isDirty && !password.isTyped && photo.photo.step === 'none'}
            busy={isSubmitting && 'Saving...'}
          >
            save
          </Button>
        }
      />
      {draft.isRestored && <RestoredDraftNotice onDiscard={draft.discard} lacksPhoto={draft.lacksPhoto} />}
      <form
        id={formId}
        className={layout.stack}
        noValidate
        onSubmit={form.handleSubmit(save)}
        onChange={() => form.clearErrors()}
      >
        <PhotoUpdate me={me} choice={photo} sent={sent} onChoose={changePhoto} />
        <FailureBanner text={errors.root?.message} />
        <Fields form={form} />
      </form>
      <PasswordForm {...password} />
    </>
  )
}

/** Holds the forms with the draft and the photo. A save uploads the photo, then sends the changed fields, then the password. */
function useProfileForm(me: Profile) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const toasts = useToasts()
  const photo = usePhoto()
  const password = useNewPassword()
  const [sent, setSent] = useState<number>()
  const [initial] = useState(() => fieldsOf(me))
  const form = useForm({ defaultValues: initial })
  const draft = useFormDraft(form, {
    key: 'profile',
    schema: profileDraft,
    saved: initial,
    hasPhoto: photo.photo.step !== 'none',
  })
  const { isMounted, showReopenToast } = useReopenToast('Your profile was not saved.', {
    to: '/profile/edit',
  })

  async function save(fields: ProfileFields) {
    const clearDraft = draft.submit()
    if (!((await savePhoto()) && (await saveFields(fields)))) return isMounted() || showReopenToast()
    clearDraft()
    toasts.show('Profile saved')
    // Does not redirect a member who has left the screen in the meantime.
    if (isMounted()) await navigate({ to: '/profile' })
  }

  /** Uploads the photo, if one is chosen. Returns whether the fields may be saved. */
  async function savePhoto(): Promise<boolean> {
    try {
      const file = await photo.waitForFile()
      if (file !== undefined) await sendPhoto(client, file, setSent)
      return true
    } catch (failure) {
      form.setError('root', { message: errorText(failure, 'Failed to upload image') })
      return false
    } finally {
      setSent(undefined)
    }
  }

  /** Saves the fields and the password. Returns whether both were saved. */
  async function saveFields(fields: ProfileFields): Promise<boolean> {
    try {
      await sendChanges(client, changesOf(initial, fields))
      if (!password.isTyped || (await password.save())) return true
    } catch (failure) {
      showFailure(form, failure, 'Failed to update profile')
    }
    // The photo is saved. Do not send it again after a correction.
    photo.remove()
    return false
  }
  return { form, draft, photo, sent, password, save }
}

function Fields({ form }: { form: UseFormReturn<ProfileFields> }) {
  const { dirtyFields } = form.formState
  return (
    <div className={classNames(layout.stack, css.fields)}>
      <TextField label="First name" autoComplete="given-name" {...fieldOf(form, 'first_name')} />
      <TextField label="Last name" autoComplete="family-name" {...fieldOf(form, 'last_name')} />
      <TextField
        label="Username"
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        {...fieldOf(form, 'username')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint={
          dirtyFields.email ? 'We send a link to the new address, to confirm that it is yours.' : undefined
        }
        {...fieldOf(form, 'email')}
      />
      {dirtyFields.email && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...fieldOf(form, 'current_password')}
        />
      )}
      <TextField label="City" autoComplete="address-level2" {...fieldOf(form, 'city')} />
      <TextField label="State" autoComplete="address-level1" {...fieldOf(form, 'state')} />
      <TextField label="Zip code" autoComplete="postal-code" {...fieldOf(form, 'zip_code')} />
    </div>
  )
}

export function EditProfileLoading() {
  return (
    <Page column>
      <MemberHead title="edit my profile" back={<BackLink to="/profile" />} />
      <Loading text="Loading profile..." />
    </Page>
  )
}
