import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { categories, limits, types } from '#contract/constants.ts'
import { createListing, type NewListing, newListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { PhotoPicker } from '#web/features/images/photo-picker.tsx'
import { usePhoto } from '#web/features/images/use-photo.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Check } from '#web/ui/check.tsx'
import { SelectField, TextArea, TextField } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CategoryButtons } from './category-buttons.tsx'
import { renewLists } from './listing-queries.ts'
import { placeFailure } from './new-listing-failure.ts'
import css from './new-listing-form.module.css'

const typeOptions = [
  { value: types.sell, label: 'sell' },
  { value: types.exchange, label: 'exchange' },
  { value: types.giveaway, label: 'giveaway' },
]

export function NewListingForm() {
  const router = useRouter()
  const navigate = useNavigate()
  const photo = usePhoto()
  const [sent, setSent] = useState<number>()
  const { register, control, watch, handleSubmit, setValue, setError, clearErrors, formState } = useForm<
    z.input<typeof newListing>,
    unknown,
    NewListing
  >({
    resolver: zodResolver(newListing),
    defaultValues: {
      title: '',
      description: '',
      type_id: types.sell,
      category_id: categories.produce,
      is_public: true,
    },
  })
  const { errors, isSubmitting } = formState
  const isSale = Number(watch('type_id')) === types.sell

  async function post(listing: NewListing) {
    try {
      const file = await photo.prepared()
      if (file) setSent(0)
      await call(createListing, { body: listing, file }, { onProgress: setSent })
    } catch (error) {
      for (const { place, message } of placeFailure(error))
        setError(place, { message }, { shouldFocus: true })
      return
    } finally {
      setSent(undefined)
    }
    toast('Listing posted')
    void renewLists()
    // Who has gone on meanwhile is not called back.
    if (router.state.location.pathname === '/listings/new') await navigate({ to: '/my-listings' })
  }

  function changeType() {
    // What is not for sale has no price, and none that could be wrong.
    setValue('price', 0)
    clearErrors('price')
  }

  return (
    <form className={css.form} onSubmit={handleSubmit(post)} noValidate>
      {errors.root?.server !== undefined && (
        <div className={css.failure} ref={bringIntoView}>
          <Banner kind="error" onDismiss={() => clearErrors('root.server')}>
            {errors.root.server.message}
          </Banner>
        </div>
      )}
      <div className={css.fields}>
        <div className={css.category}>
          <span aria-hidden="true">Category</span>
          <Controller
            control={control}
            name="category_id"
            render={({ field }) => <CategoryButtons chosen={Number(field.value)} onChoose={field.onChange} />}
          />
        </div>
        <TextField
          label="Item name"
          autoComplete="off"
          enterKeyHint="next"
          error={errors.title?.message}
          {...register('title')}
        />
        <div className={css.pair}>
          <SelectField
            label="Type"
            options={typeOptions}
            error={errors.type_id?.message}
            {...register('type_id', { setValueAs: Number, onChange: changeType })}
          />
          {isSale && (
            <TextField
              label="Price"
              type="number"
              inputMode="decimal"
              affix="$"
              min={1}
              step={1}
              error={errors.price?.message}
              {...register('price', { setValueAs: Number })}
            />
          )}
        </div>
        <TextArea
          label="Description"
          optional
          rows={4}
          hint="How much is there, and when can it be picked up?"
          counter={{ count: watch('description')?.length ?? 0, max: limits.description }}
          error={errors.description?.message}
          {...register('description')}
        />
      </div>
      <div className={css.photo}>
        <PhotoPicker
          choice={photo}
          hint="No photo? A drawing from our catalog stands in."
          sent={sent}
          error={errors.root?.photo?.message}
          onChange={() => clearErrors('root.photo')}
        />
      </div>
      <div className={css.finish}>
        <Check label="publish the post to public" {...register('is_public')} />
        <Button type="submit" wide busy={isSubmitting && 'Saving...'}>
          post
        </Button>
      </div>
    </form>
  )
}

/** A long form may have its head out of sight when its end is pressed. */
function bringIntoView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}
