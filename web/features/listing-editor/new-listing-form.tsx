import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { categories, states, types } from '#contract/constants.ts'
import type { Photo } from '#contract/images.ts'
import { createListing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { readDraftText } from '#web/features/drafts/draft-storage.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { usePhotoList } from '#web/features/images/use-photo-list.ts'
import { invalidateListings } from '#web/features/listings/listing-queries.ts'
import { InterestedCount } from '#web/features/matches/interested-count.tsx'
import { Check } from '#web/ui/check.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { ListingFields, type ListingForm, type ListingValues, listingDraft } from './listing-fields.tsx'
import { ListingFormFrame, SubmitListing } from './listing-form.tsx'
import { showListingFailure } from './listing-form-errors.ts'

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
  return (
    <ListingFormFrame
      form={form}
      draft={draft}
      photos={photos}
      onSubmit={post}
      fields={
        // A discarded draft must not survive in the state of a field.
        <ListingFields
          key={String(draft.isRestored)}
          form={form}
          aboutName={<InterestedMembers control={form.control} />}
        />
      }
    >
      <Check label="publish the post to public" {...form.register('is_public')} />
      <SubmitListing form={form} photos={photos} wide>
        post
      </SubmitListing>
    </ListingFormFrame>
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
      return showListingFailure(form, error, failure)
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
