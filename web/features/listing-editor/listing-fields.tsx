import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Controller } from 'react-hook-form'
import { limits, types } from '#contract/constants.ts'
import { type Listing, listingMessages } from '#contract/listings.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { PhotosField } from '#web/features/images/photos-field.tsx'
import { currencyAffix } from '#web/features/listings/price.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField, TextArea, TextField } from '#web/ui/field.tsx'
import { checkOf, fieldOf } from '#web/ui/form.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Grid, Stack } from '#web/ui/layout.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { CategoryChoice } from './category-choice.tsx'
import { DaysField } from './days-field.tsx'
import css from './listing-form.module.css'
import type { ListingForm } from './listing-values.ts'
import { QuantityFields } from './quantity-fields.tsx'
import { RingsChoice } from './rings-choice.tsx'

/** The limit of a listing's photos. */
export const listingPhotos = { max: limits.photos.listing, tooMany: listingMessages.tooManyPhotos }

const typeOptions = () => [
  { value: types.sell, label: t`sell` },
  { value: types.exchange, label: t`exchange` },
  { value: types.giveaway, label: t`giveaway` },
]

type ListingFieldsProps = {
  form: ListingForm
  /** The hint of the name field. */
  aboutName?: ReactNode
  /** Called when the member chooses a category. */
  onChooseCategory?: () => void
  /** True if the category comes from the name. */
  isCategoryGuessed?: boolean
  /** The edited listing. */
  listing?: Listing
  /** Further fields of one of the forms. */
  children?: ReactNode
}

/** Renders the fields of both listing forms: category, name, type, price, quantity, description and days. */
export function ListingFields({
  form,
  aboutName,
  onChooseCategory,
  isCategoryGuessed = false,
  listing,
  children,
}: ListingFieldsProps) {
  const { control, watch, setValue, getValues, clearErrors } = form
  const type = Number(watch('type_id'))
  const lastPrice = useRef('')

  function changeType(event: { target: { value: string } }) {
    // Only a sale has a price. Changing back to a sale restores the typed price.
    const isSaleNow = Number(event.target.value) === types.sell
    if (!isSaleNow) lastPrice.current = getValues('price') || lastPrice.current
    setValue('price', isSaleNow ? lastPrice.current : '', { shouldDirty: true })
    clearErrors('price')
  }

  return (
    <Stack gap="5" className={css.fields}>
      <Controller
        control={control}
        name="category_id"
        render={({ field: { name, value, onChange } }) => (
          <CategoryChoice
            name={name}
            chosen={value === null ? null : Number(value)}
            isGuessed={isCategoryGuessed}
            onChoose={(id) => {
              onChooseCategory?.()
              onChange(id)
            }}
          />
        )}
      />
      <TextField
        label={t`Item name`}
        autoComplete="off"
        enterKeyHint="next"
        hint={aboutName}
        {...fieldOf(form, 'title')}
      />
      <Grid columns={2} align="start">
        <SelectField
          label={t`Type`}
          options={typeOptions()}
          {...fieldOf(form, 'type_id', { setValueAs: Number, onChange: changeType })}
        />
        {type === types.sell && (
          <NumberField
            label={t`Price`}
            read={readNumber}
            inputMode="decimal"
            affix={currencyAffix()}
            min={1}
            step={1}
            {...fieldOf(form, 'price')}
          />
        )}
      </Grid>
      <RingsChoice type={type} {...checkOf(form, 'open_to_rings')} />
      <QuantityFields form={form} />
      <DescriptionField form={form} />
      <Grid align="start" className={css.ends}>
        {children}
        <DaysField form={form} end={listing} />
        <TextField
          label={t`Ready from`}
          type="date"
          optional
          hint={t`For what is not ripe yet. We tell who wants it on that day.`}
          {...fieldOf(form, 'ready_from', { setValueAs: (typed) => typed || null })}
        />
      </Grid>
    </Stack>
  )
}

function DescriptionField({ form }: Pick<ListingFieldsProps, 'form'>) {
  const { watch, trigger, formState } = form
  const error = formState.errors.description
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const isShown = isOpen || error !== undefined || (watch('description') ?? '') !== ''
  // The button that opens the field is gone then.
  useEffect(() => {
    if (isOpen) field.current?.querySelector('textarea')?.focus()
  }, [isOpen])

  /** Warns about a long description while typing. */
  function change(event: { target: { value: string } }) {
    const isTooLong = event.target.value.length > limits.description
    if (isTooLong || error) void trigger('description')
  }
  return (
    <>
      {!isShown && (
        <p>
          <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
            <Icon name="plus" size={20} />
            {t`Description`} {t`(optional)`}
          </Button>
        </p>
      )}
      {/* In the form also while it is hidden, so that it shows the server's error. */}
      <div ref={field} hidden={!isShown}>
        <TextArea
          label={t`Description`}
          optional
          rows={4}
          hint={t`What is it like, and when can it be picked up?`}
          counter={{ count: watch('description')?.length ?? 0, max: limits.description }}
          onFocus={() => setOpen(true)}
          {...fieldOf(form, 'description', { onChange: change })}
        />
      </div>
    </>
  )
}

/** Renders the photos of both listing forms. */
export function ListingPhotos({ form, photos }: { form: ListingForm; photos: PhotoList }) {
  const { root, ...fieldErrors } = form.formState.errors
  return (
    <div className={css.photo}>
      <PhotosField
        list={photos}
        hint={t`No photo? A drawing from our catalog stands in.`}
        error={root?.photos?.message}
        focusError={Object.keys(fieldErrors).length === 0}
        onChange={() => form.clearErrors('root.photos')}
      />
    </div>
  )
}
