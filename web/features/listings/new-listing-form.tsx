import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { categories, states, types } from '#contract/constants.ts'
import { createListing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/app-context.ts'
import { readText } from '#web/features/drafts/draft-storage.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { PhotoPicker } from '#web/features/images/photo-picker.tsx'
import { usePhoto } from '#web/features/images/use-photo.ts'
import { InterestedCount } from '#web/features/matches/interested-count.tsx'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { useStillHere } from '#web/ui/use-still-here.ts'
import { fieldFailure } from './listing-failure.ts'
import {
  FormFailure,
  ListingFields,
  type ListingForm,
  type ListingValues,
  listingDraft,
} from './listing-fields.tsx'
import css from './listing-form.module.css'
import { invalidateListings } from './listing-queries.ts'

const failure = 'Failed to create listing. Please try again later.'

const start: ListingValues = {
  title: '',
  description: '',
  price: 0,
  type_id: types.sell,
  category_id: categories.produce,
  state_id: states.available,
  is_active: true,
  is_public: true,
  open_to_rings: false,
  days: undefined,
}
const draftKey = 'new-listing'

export function NewListingForm() {
  const { form, draft, photo, sent, post } = useNewListing()
  const { register, handleSubmit, clearErrors } = form
  const { errors, isSubmitting } = form.formState

  function discard() {
    draft.discard()
    photo.remove()
  }

  function changePhoto() {
    draft.photoChanged()
    clearErrors('root.photo')
  }

  return (
    <>
      {draft.isRestored && <RestoredDraftNotice onDiscard={discard} lacksPhoto={draft.lacksPhoto} />}
      <form className={css.form} onSubmit={handleSubmit((listing) => post(listing))} noValidate>
        <FormFailure text={errors.root?.server?.message} onDismiss={() => clearErrors('root.server')} />
        {/* A discarded draft must not survive in the state of a field. */}
        <ListingFields
          key={String(draft.isRestored)}
          form={form}
          aboutName={<InterestedMembers control={form.control} />}
        />
        <div className={css.photo}>
          <PhotoPicker
            choice={photo}
            hint="No photo? A drawing from our catalog stands in."
            sent={sent}
            error={errors.root?.photo?.message}
            onChange={changePhoto}
          />
        </div>
        <div className={css.finish}>
          <Check label="publish the post to public" {...register('is_public')} />
          <Button type="submit" wide busy={isSubmitting && 'Saving...'}>
            post
          </Button>
        </div>
      </form>
    </>
  )
}

/** Holds the form with its draft and photo. */
function useNewListing() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { login, toasts, postingDrafts } = useAppContext()
  const stillHere = useStillHere()
  const photo = usePhoto()
  const [sent, setSent] = useState<number>()
  const [restore] = useState(() => !postingDrafts.has(readText(login, draftKey)))
  const form: ListingForm = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(wholeListing),
    defaultValues: start,
  })
  const draft = useFormDraft(form, {
    key: draftKey,
    schema: listingDraft,
    saved: start,
    hasPhoto: photo.photo.step !== 'none',
    restore,
  })

  /** Posts the listing. `text` is the stored draft of this listing: the member may write the next one before this call ends. */
  async function post(listing: WholeListing, text = readText(login, draftKey), clearDraft = draft.submit()) {
    postingDrafts.add(text)
    try {
      const file = await photo.prepared()
      if (file) setSent(0)
      await call(client, createListing, { body: listing, file }, { onProgress: setSent })
    } catch (error) {
      if (!stillHere()) return offerAgain(listing, text, clearDraft)
      postingDrafts.delete(text)
      for (const { place, message } of fieldFailure(error, failure))
        form.setError(place, { message }, { shouldFocus: true })
      return
    } finally {
      setSent(undefined)
    }
    postingDrafts.delete(text)
    clearDraft()
    toasts.show('Listing posted')
    void invalidateListings(client)
    // Does not redirect a member who has left the screen in the meantime.
    if (stillHere()) await navigate({ to: '/my-listings' })
  }

  /** Shows the failure as an action toast on the member's current screen. The photo is kept. */
  function offerAgain(listing: WholeListing, text: string | null, clearDraft: () => void) {
    toasts.showAction({
      text: `“${listing.title}” was not posted.`,
      label: 'Try again',
      press: () => void post(listing, text, clearDraft),
      onDismiss: () => postingDrafts.delete(text),
      ofMember: true,
    })
  }
  return { form, draft, photo, sent, post }
}

function InterestedMembers({ control }: Pick<ListingForm, 'control'>) {
  const [title, description, category] = useWatch({ control, name: ['title', 'description', 'category_id'] })
  return <InterestedCount title={title} description={description} category_id={category} />
}
