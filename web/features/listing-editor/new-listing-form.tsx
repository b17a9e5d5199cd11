import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { categories, states, types } from '#contract/constants.ts'
import type { Photo } from '#contract/images.ts'
import { createListing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { readDraftText } from '#web/features/drafts/draft-storage.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { usePhotoList, useSendingText } from '#web/features/images/use-photo-list.ts'
import { invalidateListings } from '#web/features/listings/listing-queries.ts'
import { InterestedCount } from '#web/features/matches/interested-count.tsx'
import layout from '#web/styles/layout.module.css'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FailureBanner } from '#web/ui/failure-banner.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import {
  ListingFields,
  type ListingForm,
  ListingPhotos,
  type ListingValues,
  listingDraft,
} from './listing-fields.tsx'
import css from './listing-form.module.css'
import { formErrorsOf } from './listing-form-errors.ts'

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
const noPhotos: readonly Photo[] = []

export function NewListingForm() {
  const { form, draft, photos, post } = useNewListing()
  const { register, handleSubmit, clearErrors } = form
  const { errors, isSubmitting } = form.formState
  const isRestored = useSelector(photos.state, (state) => state.isRestored) || draft.isRestored
  const sending = useSendingText(photos)

  function discard() {
    draft.discard()
    photos.discard()
  }

  return (
    <>
      {isRestored && <RestoredDraftNotice onDiscard={discard} />}
      <form className={css.form} onSubmit={handleSubmit((listing) => post(listing))} noValidate>
        <FailureBanner
          className={css.failure}
          text={errors.root?.server?.message}
          onDismiss={() => clearErrors('root.server')}
        />
        {/* A discarded draft must not survive in the state of a field. */}
        <ListingFields
          key={String(draft.isRestored)}
          form={form}
          aboutName={<InterestedMembers control={form.control} />}
        />
        <ListingPhotos form={form} photos={photos} />
        <div className={classNames(layout.stack, layout.gap5, layout.start, css.finish)}>
          <Check label="publish the post to public" {...register('is_public')} />
          <Button type="submit" wide busy={isSubmitting && (sending ?? 'Saving...')}>
            post
          </Button>
        </div>
      </form>
    </>
  )
}

/** Holds the form with its draft and photos. */
function useNewListing() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { login, toasts, postingDrafts } = useAppContext()
  const isMounted = useIsMounted()
  const photos = usePhotoList(draftKey, noPhotos)
  const [restore] = useState(() => !postingDrafts.has(readDraftText(login, draftKey)))
  const form: ListingForm = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(wholeListing),
    defaultValues: start,
  })
  const draft = useFormDraft(form, {
    key: draftKey,
    schema: listingDraft,
    saved: start,
    restore,
  })

  /** Posts the listing. `text` is the stored draft of this listing: the member may write the next one before this call ends. */
  async function post(
    listing: WholeListing,
    text = readDraftText(login, draftKey),
    clearDraft = draft.submit(),
  ) {
    const photoKeys = photos.state.get().photos.map(({ key }) => key)
    const release = addPosting(postingDrafts, [text, ...photoKeys])
    try {
      await photos.submit((image_ids) => call(client, createListing, { body: { ...listing, image_ids } }))
    } catch (error) {
      if (!isMounted()) return showRetryToast(listing, text, clearDraft, release)
      release()
      for (const { name, message } of formErrorsOf(error, failure))
        form.setError(name, { message }, { shouldFocus: true })
      return
    }
    release()
    clearDraft()
    toasts.show('Listing posted')
    void invalidateListings(client)
    // Does not redirect a member who has left the screen in the meantime.
    if (isMounted()) await navigate({ to: '/my-listings' })
  }

  /** Shows the failure on the screen that the member is on now. The photos are kept until the toast is dismissed. */
  function showRetryToast(
    listing: WholeListing,
    text: string | null,
    clearDraft: () => void,
    release: () => void,
  ) {
    toasts.showAction({
      text: `“${listing.title}” was not posted.`,
      label: 'Try again',
      press: () => void post(listing, text, clearDraft),
      onDismiss: release,
      ofMember: true,
    })
  }
  return { form, draft, photos, post }
}

/** Adds a draft and its photos, which are being posted. Returns a function that removes them. */
function addPosting(posting: Set<string | null>, names: readonly (string | null)[]): () => void {
  for (const name of names) posting.add(name)
  return () => {
    for (const name of names) posting.delete(name)
  }
}

function InterestedMembers({ control }: Pick<ListingForm, 'control'>) {
  const [title, description, category] = useWatch({ control, name: ['title', 'description', 'category_id'] })
  return <InterestedCount title={title} description={description} category_id={category} />
}
