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
import { FormFailure, ListingFields, type ListingValues, listingDraft } from './listing-fields.tsx'
import css from './listing-form.module.css'
import { updateCachedListing } from './listing-queries.ts'

const failure = 'Failed to update listing. Please try again.'

const stateOptions = [
  { value: states.available, label: 'available' },
  { value: states.reserved, label: 'reserved' },
  { value: states.gone, label: 'gone' },
]

type EditListingFormProps = { listing: Listing; onLeave: () => void }

/** Starts from what is known of the listing; what comes later fills the fields that nobody has touched. */
export function EditListingForm({ listing, onLeave }: EditListingFormProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const params = { id: listing.id }
  const photo = usePhoto()
  const [keepsPhoto, setKeepsPhoto] = useState(true)
  const [sent, setSent] = useState<number>()
  const saved = useMemo(() => valuesOf(listing), [listing])
  const form = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(editedListing),
    values: saved,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  const { register, control, handleSubmit, setError, clearErrors } = form
  const { errors, isSubmitting, dirtyFields } = form.formState
  const draft = useFormDraft(form, {
    key: `listing-${listing.id}`,
    schema: listingDraft,
    saved,
    hasPhoto: photo.photo.step !== 'none',
  })
  const { stillHere, offerAgain } = useOpenAgain(`“${listing.title}” was not saved.`, {
    to: '/listings/$id/edit',
    params: { id: String(listing.id) },
  })

  async function save(edited: WholeListing) {
    const clearDraft = draft.submit()
    try {
      await savePhoto()
      const changes = Object.fromEntries(
        Object.entries(edited).filter(([field]) => dirtyFields[field as keyof ListingValues]),
      )
      if (Object.keys(changes).length > 0)
        await updateCachedListing(client, await call(client, updateListing, { params, body: changes }))
    } catch (error) {
      if (!stillHere()) return offerAgain()
      for (const { place, message } of fieldFailure(error, failure))
        setError(place, { message }, { shouldFocus: true })
      return
    }
    clearDraft()
    toasts.show('Listing saved')
    // A member who has left the screen meanwhile is not redirected.
    if (stillHere()) onLeave()
  }

  function cancel() {
    draft.clear()
    onLeave()
  }

  async function savePhoto() {
    const file = await photo.prepared()
    if (file !== undefined) {
      setSent(0)
      const saved = call(client, setListingImage, { params, body: {}, file }, { onProgress: setSent })
      await updateCachedListing(client, await saved.finally(() => setSent(undefined)))
      // It is not sent again when something else has to be mended first.
      photo.remove()
      setKeepsPhoto(true)
    } else if (!keepsPhoto && listing.featured_image !== null) {
      await updateCachedListing(client, await call(client, removeListingImage, { params }))
    }
  }

  return (
    <>
      {draft.isRestored && <RestoredDraftNotice onDiscard={draft.discard} lacksPhoto={draft.lacksPhoto} />}
      <form className={css.form} onSubmit={handleSubmit(save)} noValidate>
        <FormFailure text={errors.root?.server?.message} onDismiss={() => clearErrors('root.server')} />
        <ListingFields form={form}>
          <SelectField
            label="Availability"
            options={stateOptions}
            error={errors.state_id?.message}
            {...register('state_id', { setValueAs: Number })}
          />
        </ListingFields>
        <div className={css.photo}>
          <PhotoPicker
            choice={photo}
            current={
              keepsPhoto && listing.featured_image !== null
                ? `${apiBase}/${listing.featured_image}`
                : undefined
            }
            onRemoveCurrent={() => setKeepsPhoto(false)}
            hint="No photo? A drawing from our catalog stands in."
            sent={sent}
            error={errors.root?.photo?.message}
            onChange={() => {
              draft.photoChanged()
              clearErrors('root.photo')
            }}
          />
        </div>
        <div className={css.finish}>
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
          <div className={css.choices}>
            <Button variant="secondary" onClick={cancel}>
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

function valuesOf({
  title,
  description,
  price,
  is_active,
  is_public,
  type_id,
  state_id,
  category_id,
}: Listing): ListingValues {
  return { title, description, price, is_active, is_public, type_id, state_id, category_id }
}
