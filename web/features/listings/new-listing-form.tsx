import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { categories, states, types } from '#contract/constants.ts'
import { createListing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { BroughtBack } from '#web/features/drafts/brought-back.tsx'
import { changesIn } from '#web/features/drafts/kept-changes.ts'
import { forgetSent, keep, readKept, readKeptJson } from '#web/features/drafts/kept-text.ts'
import { PhotoPicker } from '#web/features/images/photo-picker.tsx'
import { usePhoto } from '#web/features/images/use-photo.ts'
import { WantingCount } from '#web/features/matches/wanting-count.tsx'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { offer, toast } from '#web/ui/toast.tsx'
import { useStillHere } from '#web/ui/use-still-here.ts'
import { placeFailure } from './listing-failure.ts'
import { FormFailure, ListingFields, type ListingValues } from './listing-fields.tsx'
import css from './listing-form.module.css'
import { renewLists } from './listing-queries.ts'

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
}
const draft = 'new listing'

/** Drafts that are being posted, or may be once more: a form that begins meanwhile is for another listing. */
const underWay = new Set<string>()

/** What was being written when its gardener went elsewhere; of a photo only that there was one. */
function begun(): { values: ListingValues; hadPhoto: boolean } {
  const kept = underWay.has(readKept(draft)) ? undefined : readKeptJson(draft)
  const { hadPhoto = false, ...values } = { ...start, ...(kept as ListingValues & { hadPhoto?: boolean }) }
  return { values, hadPhoto }
}

function keepDraft(values: ListingValues, hadPhoto: boolean) {
  keep(draft, changesIn(values, start).length > 0 ? JSON.stringify({ ...values, hadPhoto }) : '')
}

export function NewListingForm() {
  const navigate = useNavigate()
  const stillHere = useStillHere()
  const photo = usePhoto()
  const [sent, setSent] = useState<number>()
  const [{ values: left, hadPhoto }] = useState(begun)
  const [isBack, setIsBack] = useState(() => changesIn(left, start).length > 0)
  const [lacksPhoto, setLacksPhoto] = useState(isBack && hadPhoto)
  const form = useForm<ListingValues, unknown, WholeListing>({
    resolver: zodResolver(wholeListing),
    defaultValues: left,
  })
  const { register, handleSubmit, setError, clearErrors } = form
  const { errors, isSubmitting } = form.formState
  const hasPhoto = lacksPhoto || photo.photo.step !== 'none'
  const knownPhoto = useRef(hasPhoto)
  useEffect(() => {
    if (knownPhoto.current !== hasPhoto) keepDraft(form.getValues(), hasPhoto)
    knownPhoto.current = hasPhoto
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => keepDraft(values, hasPhoto),
    })
  }, [form, hasPhoto])

  function discard() {
    keep(draft, '')
    form.reset(start)
    photo.remove()
    setLacksPhoto(false)
    setIsBack(false)
  }

  async function post(listing: WholeListing, sending: string) {
    underWay.add(sending)
    try {
      const file = await photo.prepared()
      if (file) setSent(0)
      await call(createListing, { body: listing, file }, { onProgress: setSent })
    } catch (error) {
      if (!stillHere()) return offerAgain(listing, sending)
      underWay.delete(sending)
      for (const { place, message } of placeFailure(error, failure))
        setError(place, { message }, { shouldFocus: true })
      return
    } finally {
      setSent(undefined)
    }
    underWay.delete(sending)
    forgetSent(draft, sending)
    toast('Listing posted')
    void renewLists()
    // Who has gone on meanwhile is not called back.
    if (stillHere()) await navigate({ to: '/my-listings' })
  }

  /** Who has gone on hears of it there. The photo is still at hand, too. */
  function offerAgain(listing: WholeListing, sending: string) {
    offer(`“${listing.title}” was not posted.`, {
      label: 'Try again',
      press: () => void post(listing, sending),
      onLater: () => underWay.delete(sending),
      ofMember: true,
    })
  }

  function changePhoto() {
    setLacksPhoto(false)
    clearErrors('root.photo')
  }

  return (
    <>
      {isBack && (
        <BroughtBack onDiscard={discard}>{lacksPhoto && 'Please choose your photo again.'}</BroughtBack>
      )}
      <form
        className={css.form}
        onSubmit={handleSubmit((listing) => post(listing, readKept(draft)))}
        noValidate
      >
        <FormFailure text={errors.root?.server?.message} onDismiss={() => clearErrors('root.server')} />
        {/* What is discarded is remembered by no field. */}
        <ListingFields key={String(isBack)} form={form} aboutName={<Wanting control={form.control} />} />
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

function Wanting({ control }: { control: Control<ListingValues, unknown, WholeListing> }) {
  const [title, description, category] = useWatch({ control, name: ['title', 'description', 'category_id'] })
  return <WantingCount title={title} description={description} category_id={category} />
}
