import {
  type ClipboardEvent,
  type InputEvent,
  type ReactNode,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react'
import { Controller, type UseFormReturn, useController } from 'react-hook-form'
import { z } from 'zod'
import { categories, limits, states, types } from '#contract/constants.ts'
import type { WholeListing, wholeListing } from '#contract/listings.ts'
import { Banner } from '#web/ui/banner.tsx'
import { SelectField, TextArea, TextField } from '#web/ui/field.tsx'
import { CategoryChoice } from './category-choice.tsx'
import css from './listing-form.module.css'
import { fieldPrice } from './price.ts'

export type ListingValues = z.input<typeof wholeListing>

/** The stored draft of a listing. */
export const listingDraft = z.object({
  title: z.string(),
  description: z.string(),
  // A price that can not be read is stored as null.
  price: z.number().catch(0),
  is_active: z.boolean(),
  is_public: z.boolean(),
  type_id: z.literal(Object.values(types)),
  state_id: z.literal(Object.values(states)),
  category_id: z.literal(Object.values(categories)).nullable(),
})

const typeOptions = [
  { value: types.sell, label: 'sell' },
  { value: types.exchange, label: 'exchange' },
  { value: types.giveaway, label: 'giveaway' },
]

type ListingFieldsProps = {
  form: UseFormReturn<ListingValues, unknown, WholeListing>
  /** Stands right under the name. */
  aboutName?: ReactNode
  /** The fields of only one of the forms. */
  children?: ReactNode
}

/** Renders the fields of both listing forms: category, name, type, price and description. */
export function ListingFields({ form, aboutName, children }: ListingFieldsProps) {
  const { register, control, watch, setValue, getValues, clearErrors, trigger } = form
  const { errors } = form.formState
  const isSale = Number(watch('type_id')) === types.sell
  const asked = useRef(0)

  function changeType(event: { target: { value: string } }) {
    // Only a sale has a price. The typed one comes back with the type.
    const isSaleNow = Number(event.target.value) === types.sell
    if (!isSaleNow) asked.current = getValues('price') || asked.current
    setValue('price', isSaleNow ? asked.current : 0, { shouldDirty: true })
    clearErrors('price')
  }

  /** Warns about a long description while typing. */
  function changeDescription(event: { target: { value: string } }) {
    const isTooLong = event.target.value.length > limits.description
    if (isTooLong || errors.description) void trigger('description')
  }
  return (
    <div className={css.fields}>
      <Controller
        control={control}
        name="category_id"
        render={({ field: { name, value, onChange } }) => (
          <CategoryChoice name={name} chosen={value === null ? null : Number(value)} onChoose={onChange} />
        )}
      />
      <TextField
        label="Item name"
        autoComplete="off"
        enterKeyHint="next"
        hint={aboutName}
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
        {isSale && <PriceField control={control} />}
      </div>
      <TextArea
        label="Description"
        optional
        rows={4}
        hint="How much is there, and when can it be picked up?"
        counter={{ count: watch('description')?.length ?? 0, max: limits.description }}
        error={errors.description?.message}
        {...register('description', { onChange: changeDescription })}
      />
      {children}
    </div>
  )
}

/** The form keeps a number. What is typed stands as it was typed, what the form knows from elsewhere as a price is written. */
function PriceField({ control }: Pick<ListingFieldsProps['form'], 'control'>) {
  const { field, fieldState } = useController({ control, name: 'price' })
  const [typed, setTyped] = useState('')
  return (
    <TextField
      {...field}
      label="Price"
      type="number"
      inputMode="decimal"
      affix="$"
      min={1}
      step={1}
      value={typed !== '' && Number(typed) === field.value ? typed : fieldPrice(field.value)}
      error={fieldState.error?.message}
      onBeforeInput={insertPoint}
      onPaste={pastePoint}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        field.onChange(Number(currentTarget.value))
      }}
    />
  )
}

/** A number field drops a comma where the browser's language has a decimal point: `3,50` would become 350. */
function insertPoint(event: InputEvent<HTMLInputElement>) {
  if (event.nativeEvent.data === ',') replaceInput(event, '.')
}

function pastePoint(event: ClipboardEvent<HTMLInputElement>) {
  const amount = /^\s*(\d+),(\d{1,2})\s*$/.exec(event.clipboardData.getData('text/plain'))
  if (amount) replaceInput(event, `${amount[1]}.${amount[2]}`)
}

function replaceInput(event: SyntheticEvent, text: string) {
  event.preventDefault()
  // The only way to insert at the cursor of a number field, which has no selection for scripts.
  document.execCommand('insertText', false, text)
}

/** Why the whole form could not be saved, above it. */
export function FormFailure({ text, onDismiss }: { text: string | undefined; onDismiss: () => void }) {
  if (text === undefined) return null
  return (
    <div className={css.failure} ref={bringIntoView}>
      <Banner kind="error" onDismiss={onDismiss}>
        {text}
      </Banner>
    </div>
  )
}

/** A long form may have its head out of sight when its end is pressed. */
function bringIntoView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}
