import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { states } from '#contract/constants.ts'
import { editedListing, type Listing, updateListing, type WholeListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useReopenToast } from '#web/features/drafts/use-reopen-toast.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { usePhotoList } from '#web/features/images/use-photo-list.ts'
import { updateCachedListing } from '#web/features/listings/listing-queries.ts'
import { fieldPrice } from '#web/features/listings/price.ts'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { SelectField } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { Grid, Stack } from '#web/ui/layout.tsx'
import { ListingFields, listingPhotos } from './listing-fields.tsx'
import css from './listing-form.module.css'
import { ListingFormFrame, listingFailure, SubmitListing } from './listing-form.tsx'
import { type ListingForm, type ListingValues, listingValues, readingNumbers } from './listing-values.ts'
import { VisibilityCheck } from './visibility-check.tsx'

const stateOptions = () => [
  { value: states.available, label: t`available` },
  { value: states.reserved, label: t`reserved` },
  { value: states.gone, label: t`gone` },
]

type EditListingFormProps = { listing: Listing; onLeave: () => void }

/** The form of an existing listing. It starts from cached data; newer data fills the fields that the member has not changed. */
export function EditListingForm({ listing, onLeave }: EditListingFormProps) {
  const { form, draft, photos, submit } = useEditListing(listing, onLeave)

  function cancel() {
    draft.clear()
    photos.discard()
    onLeave()
  }
  return (
    <ListingFormFrame
      form={form}
      draft={draft}
      photos={photos}
      onSubmit={submit}
      fields={
        <ListingFields form={form} listing={listing}>
          <SelectField
            label={t`Availability`}
            options={stateOptions()}
            {...fieldOf(form, 'state_id', { setValueAs: Number })}
          />
        </ListingFields>
      }
    >
      <VisibilityChecks form={form} />
      <Grid columns={2} gap="3" className={css.choices}>
        <Button variant="secondary" onClick={cancel}>
          {t`cancel`}
        </Button>
        <SubmitListing form={form} photos={photos}>
          {t`save`}
        </SubmitListing>
      </Grid>
    </ListingFormFrame>
  )
}

/** Holds the form with its draft and photos. A save sends the changed fields. */
function useEditListing(listing: Listing, onLeave: () => void) {
  const client = useQueryClient()
  const key = `listing-${listing.id}`
  const photos = usePhotoList({ ...listingPhotos, draftKey: key }, listing.images)
  const saved = useMemo(() => valuesOf(listing), [listing])
  const form: ListingForm = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(readingNumbers(editedListing)),
    defaultValues: saved,
    values: saved,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  const { dirtyFields } = form.formState
  const draft = useFormDraft(form, { key, schema: listingValues, saved })
  const showReopenToast = useReopenToast(
    `edit-${listing.id}`,
    t`“${{ title: listing.title }}” was not saved.`,
    {
      to: '/listings/$id/edit',
      params: { id: String(listing.id) },
    },
  )
  const submit = useSubmit(form, {
    send: (edited) =>
      photos.submit(async (image_ids) => {
        const changed = Object.entries(edited).filter(([field]) => dirtyFields[field as keyof ListingValues])
        const body = { ...Object.fromEntries(changed), ...(image_ids && { image_ids }) }
        const params = { id: listing.id }
        if (Object.keys(body).length > 0)
          await updateCachedListing(client, await call(client, updateListing, { params, body }))
      }),
    draft,
    toast: t`Listing saved`,
    leave: onLeave,
    failure: listingFailure(t`Failed to update listing. Please try again.`),
    onFailedLater: showReopenToast,
  })
  return { form, draft, photos, submit }
}

function VisibilityChecks({ form }: { form: ListingForm }) {
  return (
    <Stack gap="1">
      <VisibilityCheck form={form} />
      <Controller
        control={form.control}
        name="is_active"
        render={({ field: { value, onChange, ...field } }) => (
          <Check
            {...field}
            label={t`hide it from everyone but me`}
            checked={!value}
            onChange={(event) => onChange(!event.currentTarget.checked)}
          />
        )}
      />
    </Stack>
  )
}

function valuesOf(listing: Listing): ListingValues {
  return {
    title: listing.title,
    description: listing.description,
    price: fieldPrice(listing.price),
    is_active: listing.is_active,
    is_public: listing.is_public,
    type_id: listing.type_id,
    state_id: listing.state_id,
    category_id: listing.category_id,
    open_to_rings: listing.open_to_rings,
    quantity: listing.quantity === null ? '' : String(listing.quantity),
    unit: listing.unit,
    ready_from: listing.ready_from,
    days: '',
  }
}
