import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { type Mutation, MutationObserver, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { v4 as newUuid } from 'uuid'
import { categories, states, types } from '#contract/constants.ts'
import { createListing, type Listing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { isClientIdReused } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { useAppContext } from '#web/context/app-context.ts'
import {
  clearLater,
  readDraft,
  readDraftText,
  readText,
  saveDraft,
} from '#web/features/drafts/draft-storage.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { usePhotoList } from '#web/features/images/use-photo-list.ts'
import { invalidateListings } from '#web/features/listings/listing-queries.ts'
import { InterestedCount } from '#web/features/matches/interested-count.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { ListedAlready } from './listed-already.tsx'
import { ListingFields, listingPhotos } from './listing-fields.tsx'
import { ListingFormFrame, listingFailure, SubmitListing } from './listing-form.tsx'
import { type ListingForm, type ListingValues, listingValues, readingNumbers } from './listing-values.ts'
import { useGuessedCategory } from './use-guessed-category.ts'
import { VisibilityCheck } from './visibility-check.tsx'

const blank: ListingValues = {
  title: '',
  description: '',
  price: '',
  type_id: types.sell,
  category_id: categories.produce,
  state_id: states.available,
  is_active: true,
  is_public: true,
  open_to_rings: false,
  quantity: '',
  unit: null,
  ready_from: null,
  days: '',
}
const draftKey = 'new-listing'
const clientIdKey = 'new-listing-id'

/** The title and category that the form starts with. A restored draft replaces them. */
interface Suggested {
  readonly title?: string | undefined
  readonly category?: keyof typeof categories | undefined
}

export function NewListingForm(suggested: Suggested) {
  const { form, draft, photos, submit } = useNewListing(suggested)
  const category = useGuessedCategory(form, draft.isRestored || suggested.category !== undefined)
  return (
    <ListingFormFrame
      form={form}
      draft={draft}
      photos={photos}
      onSubmit={submit}
      fields={
        // A discarded draft must not survive in the state of a field.
        <ListingFields
          key={String(draft.isRestored)}
          form={form}
          aboutName={<AboutName control={form.control} />}
          onChooseCategory={category.choose}
          isCategoryGuessed={category.isGuessed}
        />
      }
    >
      <VisibilityCheck form={form} />
      <SubmitListing form={form} photos={photos} wide>
        {t`post`}
      </SubmitListing>
    </ListingFormFrame>
  )
}

/** Holds the form with its draft and photos. */
function useNewListing({ title = '', category = 'produce' }: Suggested) {
  const { login, queryClient } = useAppContext()
  const [start] = useState(() => ({ ...blank, title, category_id: categories[category] }))
  const navigate = useNavigate()
  const photos = usePhotoList({
    ...listingPhotos,
    draftKey,
    isPosting: (key) => isPosting(queryClient, key),
  })
  const [restore] = useState(() => !isPosting(queryClient, readDraftText(login, draftKey)))
  const form: ListingForm = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(readingNumbers(wholeListing)),
    defaultValues: start,
  })
  const draft = useFormDraft(form, { key: draftKey, schema: listingValues, saved: start, restore })
  const clientId = useClientId()
  const post = usePost(photos, clientId)
  const submit = useSubmit(form, {
    send: post,
    draft: {
      submit() {
        clientId.take()
        const [clearFields, clearClientId] = [draft.submit(), clearLater(login, clientIdKey)]
        return () => {
          clearFields()
          clearClientId()
        }
      },
    },
    toast: t`Listing posted`,
    leave: ({ id }) => navigate({ to: '/my-listings', state: { posted: id } }),
    failure: listingFailure(t`Failed to create listing. Please try again later.`),
    // The member was asked already.
    onFailedLater: () => {},
  })

  function discard() {
    draft.discard()
    clientId.renew()
  }
  return { form, draft: { ...draft, discard }, photos, submit }
}

/** The mutation key of listings that are being posted, before their names. */
const postKey = ['post-listing'] as const

/** Returns whether the listing with this draft, `client_id` or photo is being posted or can be posted again. */
function isPosting(client: QueryClient, name: string | null): boolean {
  const predicate = ({ options: { mutationKey = [] } }: Mutation<unknown, Error, unknown>) =>
    mutationKey.includes(name)
  return client.isMutating({ mutationKey: postKey, predicate }) > 0
}

/**
 * Returns a function that posts a listing. The member may leave the screen and write the next one meanwhile: then a failure asks whether to
 * try again.
 */
function usePost(photos: PhotoList, clientId: ReturnType<typeof useClientId>) {
  const { queryClient, login, toasts } = useAppContext()
  const isMounted = useIsMounted()

  async function post(listing: WholeListing, client_id: string): Promise<Listing> {
    try {
      const posted = await photos.submit((image_ids) =>
        call(queryClient, createListing, { body: { ...listing, client_id, image_ids } }),
      )
      void invalidateListings(queryClient)
      return posted
    } catch (error) {
      const isReused = isClientIdReused(error)
      if (isReused) void invalidateListings(queryClient)
      if (isReused && isMounted()) clientId.renew()
      if (isMounted() || !(await wantsToRetry(listing.title, client_id))) throw error
      return post(listing, isReused ? newUuid() : client_id)
    }
  }

  function wantsToRetry(title: string, key: string) {
    return new Promise<boolean>((resolve) =>
      toasts.showAction({
        key,
        text: t`“${title}” was not posted.`,
        label: t`Try again`,
        press: () => resolve(true),
        onDismiss: () => resolve(false),
        ofMember: true,
      }),
    )
  }

  return (listing: WholeListing) => {
    const client_id = clientId.take()
    const names = [readDraftText(login, draftKey), client_id, ...photos.photos.map(({ key }) => key)]
    const mutationFn = () => post(listing, client_id)
    return new MutationObserver(queryClient, { mutationKey: [...postKey, ...names], mutationFn }).mutate()
  }
}

/** Holds the id by which the server stores a listing once, however often it is posted. It is stored with the draft. */
function useClientId() {
  const { login, queryClient } = useAppContext()
  const current = useRef<string>(undefined)
  return {
    /** Returns the id of the listing in the form. */
    take(): string {
      const stored = readDraft(login, clientIdKey, readText)
      current.current ??= stored === undefined || isPosting(queryClient, stored) ? newUuid() : stored
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
