import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { v4 as newUuid } from 'uuid'
import { z } from 'zod/mini'
import { categories, states, types } from '#contract/constants.ts'
import type { Photo } from '#contract/images.ts'
import { createListing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { isClientIdReused } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import { clearLater, readDraft, readDraftText, saveDraft } from '#web/features/drafts/draft-storage.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { usePhotoList } from '#web/features/images/use-photo-list.ts'
import { invalidateListings } from '#web/features/listings/listing-queries.ts'
import { InterestedCount } from '#web/features/matches/interested-count.tsx'
import { Check } from '#web/ui/check.tsx'
import { checkOf } from '#web/ui/form.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { ListedAlready } from './listed-already.tsx'
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
const clientIdKey = 'new-listing-id'
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
          aboutName={<AboutName control={form.control} />}
        />
      }
    >
      <Check label="publish the post to public" {...checkOf(form, 'is_public')} />
      <SubmitListing form={form} photos={photos} wide>
        post
      </SubmitListing>
    </ListingFormFrame>
  )
}

/** Holds the form with its draft and photos. */
function useNewListing() {
  const { login, postingDrafts } = useAppContext()
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
  const clientId = useClientId()
  const post = usePost({ form, photos, clientId })

  function discard() {
    draft.discard()
    clientId.renew()
  }

  function submit(listing: WholeListing) {
    const client_id = clientId.take()
    const text = readDraftText(login, draftKey)
    const [clearFields, clearClientId] = [draft.submit(), clearLater(login, clientIdKey)]
    const clearDraft = () => {
      clearFields()
      clearClientId()
    }
    return post({ listing, client_id, text, clearDraft })
  }

  return { form, draft: { ...draft, discard }, photos, post: submit }
}

/** A listing that is being posted. The member may write the next one before that ends. */
interface Posting {
  readonly listing: WholeListing
  readonly client_id: string
  /** Its stored draft. */
  readonly text: string | null
  /** Removes the draft unless it has changed. */
  readonly clearDraft: () => void
}

interface PostOptions {
  readonly form: ListingForm
  readonly photos: PhotoList
  readonly clientId: ReturnType<typeof useClientId>
}

/** Returns a function that posts a listing and shows the result. */
function usePost({ form, photos, clientId }: PostOptions) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { toasts, postingDrafts } = useAppContext()
  const isMounted = useIsMounted()

  async function post(posting: Posting) {
    const { listing, client_id, text, clearDraft } = posting
    const photoKeys = photos.state.get().photos.map(({ key }) => key)
    const release = addPosting(postingDrafts, [text, client_id, ...photoKeys])
    try {
      await photos.submit((image_ids) =>
        call(client, createListing, { body: { ...listing, client_id, image_ids } }),
      )
    } catch (error) {
      const isReused = isClientIdReused(error)
      if (isReused) void invalidateListings(client)
      if (!isMounted())
        return showRetryToast(isReused ? { ...posting, client_id: newUuid() } : posting, release)
      release()
      if (isReused) clientId.renew()
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
  function showRetryToast(posting: Posting, release: () => void) {
    toasts.showAction({
      text: `“${posting.listing.title}” was not posted.`,
      label: 'Try again',
      press: () => void post(posting),
      onDismiss: release,
      ofMember: true,
    })
  }

  return post
}

/** Holds the id by which the server stores a listing once, however often it is posted. It is stored with the draft. */
function useClientId() {
  const { login, postingDrafts } = useAppContext()
  const current = useRef<string>(undefined)
  return {
    /** Returns the id of the listing in the form. */
    take(): string {
      const stored = readDraft(login, clientIdKey, z.string())
      current.current ??= stored === undefined || postingDrafts.has(stored) ? newUuid() : stored
      saveDraft(login, clientIdKey, current.current)
      return current.current
    },
    /** Makes the next listing another one. */
    renew() {
      current.current = undefined
      saveDraft(login, clientIdKey, undefined)
    },
  }
}

/** Adds a draft and its photos, which are being posted. Returns a function that removes them. */
function addPosting(posting: Set<string | null>, names: readonly (string | null)[]): () => void {
  for (const name of names) posting.add(name)
  return () => {
    for (const name of names) posting.delete(name)
  }
}

function AboutName({ control }: Pick<ListingForm, 'control'>) {
  const [title, description, category, type] = useWatch({
    control,
    name: ['title', 'description', 'category_id', 'type_id'],
  })
  return (
    <>
      <InterestedCount title={title} description={description} category_id={category} />
      <ListedAlready title={title} type_id={type} category_id={category ?? undefined} />
    </>
  )
}
