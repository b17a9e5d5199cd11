import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod/mini'
import { type editedListing, type WholeListing, wholeListing } from '#contract/listings.ts'
import { readNumber } from '#web/i18n/read-number.ts'

const typed = z.string()

/** The values of both listing forms, with numbers as they are typed: so a malformed one stays in the draft. */
export const listingValues = z.object({ ...wholeListing.shape, price: typed, quantity: typed, days: typed })
export type ListingValues = z.input<typeof listingValues>
export type ListingForm = UseFormReturn<ListingValues, unknown, WholeListing>

/** Returns the schema for the values of a form whose numbers are in the language of the page. */
export function readingNumbers(schema: typeof wholeListing | typeof editedListing) {
  const read = ({ price, quantity, days, ...values }: ListingValues): z.input<typeof schema> => ({
    ...values,
    price: readOptional(price) ?? 0,
    quantity: readOptional(quantity) ?? null,
    days: readOptional(days),
  })
  return z.pipe(z.transform(read), schema)
}

/** Returns undefined for an empty text, and NaN for a malformed one. */
export function readOptional(text: string): number | undefined {
  return text.trim() === '' ? undefined : readNumber(text)
}
