import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { apiBase, states } from '#contract/constants.ts'
import {
  editedListing,
  type Listing,
  removeListingImage,
  setListingImage,
  updateListing,
  type WholeListing,
} from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useOpenAgain } from '#web/features/drafts/open-again.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { PhotoPicker } from '#web/features/images/photo-picker.tsx'
import { usePhoto } from '#web/features/images/use-photo.ts'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { SelectField } from '#web/ui/field.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { fieldFailure } from './listing-failure.ts'
import {
  FormFailure,
  ListingFields,
  type ListingForm,
  type ListingValues,
  listingDraft,
} from './listing-fields.tsx'
import css from './listing-form.module.css'
import { updateCachedListing } from './listing-queries.ts'

const failure = 'Failed to update listing. Please try again.'

const stateOptions = [
  { value: states.available, label: 'available' },
  { value: states.reserved, label: 'reserved' },
  { value: states.gone, label: 'gone' },
]

type EditListingFormProps = { listing: Listing; onLeave: () => void }

/** The form of an existing listing. It starts from cached data; newer data fills the fields that the member has not changed. */
export function EditListingForm({ listing, onLeave }: EditListingFormProps) {
  const { form, draft, upload, save } = useEditListing(listing, onLeave)
  const { register, handleSubmit, clearErrors } = form
  const { errors, isSubmitting } = form.formState
  return (
    <>
      {draft.isRestored && <RestoredDraftNotice onDiscard={draft.discard} lacksPhoto={draft.lacksPhoto} />}
      <form className={css.form} onSubmit={handleSubmit(save)} noValidate>
        <FormFailure text={errors.root?.server?.message} onDismiss={() => clearErrors('root.server')} />
        <ListingFields form={form} listing={listing}>
          <SelectField
            label="Availability"
            options={stateOptions}
            error={errors.state_id?.message}
            {...register('state_id', { setValueAs: Number })}
          />
        </ListingFields>
        <div className={css.photo}>
          <PhotoPicker
            choice={upload.choice}
            current={upload.current}
            onRemoveCurrent={upload.removeCurrent}
            hint="No photo? A drawing from our catalog stands in."
            sent={upload.sent}
            error={errors.root?.photo?.message}
            onChange={() => {
              draft.photoChanged()
              clearErrors('root.photo')
            }}
          />
        </div>
        <div className={css.finish}>
          <VisibilityChecks form={form} />
          <div className={css.choices}>
            <Button
              variant="secondary"
              onClick={() => {
                draft.clear()
                onLeave()
              }}
            >
              cancel
            </Button>
            <Button type="submit" busy={isSubmitting && 'Saving...'}>
              save
            </Button>
          </div>
        </div>
      </form>
    </>
  )
}

/** Holds the form with its draft and photo. A save uploads the photo, then sends the changed fields. */
function useEditListing(listing: Listing, onLeave: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  const upload = useListingPhoto(listing)
  const saved = useMemo(() => valuesOf(listing), [listing])
  const form: ListingForm = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(editedListing),
    values: saved,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  const { dirtyFields } = form.formState
  const draft = useFormDraft(form, {
    key: `listing-${listing.id}`,
    schema: listingDraft,
    saved,
    hasPhoto: upload.choice.photo.step !== 'none',
  })
  const { stillHere, offerAgain } = useOpenAgain(`“${listing.title}” was not saved.`, {
    to: '/listings/$id/edit',
    params: { id: String(listing.id) },
  })

  async function save(edited: WholeListing) {
    const clearDraft = draft.submit()
    try {
      await upload.save()
      const body = Object.fromEntries(
        Object.entries(edited).filter(([field]) => dirtyFields[field as keyof ListingValues]),
      )
      const params = { id: listing.id }
      if (Object.keys(body).length > 0)
        await updateCachedListing(client, await call(client, updateListing, { params, body }))
    } catch (error) {
      if (!stillHere()) return offerAgain()
      for (const { place, message } of fieldFailure(error, failure))
        form.setError(place, { message }, { shouldFocus: true })
      return
    }
    clearDraft()
    toasts.show('Listing saved')
    // Does not redirect a member who has left the screen in the meantime.
    if (stillHere()) onLeave()
  }
  return { form, draft, upload, save }
}

/** Holds the stored photo of a listing and the chosen one. */
function useListingPhoto({ id, featured_image }: Listing) {
  const client = useQueryClient()
  const choice = usePhoto()
  const [isRemoved, setRemoved] = useState(false)
  const [sent, setSent] = useState<number>()

  /** Uploads the chosen photo, or deletes the removed one. */
  async function save() {
    const params = { id }
    const file = await choice.prepared()
    if (file !== undefined) {
      setSent(0)
      const upload = call(client, setListingImage, { params, body: {}, file }, { onProgress: setSent })
      await updateCachedListing(client, await upload.finally(() => setSent(undefined)))
      // Does not send it again if a field has to be corrected first.
      choice.remove()
      setRemoved(false)
    } else if (isRemoved && featured_image !== null) {
      await updateCachedListing(client, await call(client, removeListingImage, { params }))
    }
  }
  return {
    choice,
    sent,
    /** The URL of the stored photo, unless it was removed. */
    current: isRemoved || featured_image === null ? undefined : `${apiBase}/${featured_image}`,
    removeCurrent: () => setRemoved(true),
    save,
  }
}

function VisibilityChecks({ form: { register, control } }: { form: ListingForm }) {
  return (
    <div className={css.checks}>
      <Check label="publish the post to public" {...register('is_public')} />
      <Controller
        control={control}
        name="is_active"
        render={({ field: { value, onChange, ...field } }) => (
          <Check
            {...field}
            label="hide it from everyone but me"
            checked={!value}
            onChange={(event) => onChange(!event.currentTarget.checked)}
          />
        )}
      />
    </div>
  )
}

function valuesOf({
  title,
  description,
  price,
  is_active,
  is_public,
  type_id,
  state_id,
  category_id,
  open_to_rings,
}: Listing): ListingValues {
  return {
    title,
    description,
    price,
    is_active,
    is_public,
    type_id,
    state_id,
    category_id,
    open_to_rings,
    days: undefined,
  }
}
