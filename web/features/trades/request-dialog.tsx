import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { limits, states, types } from '#contract/constants.ts'
import { type Listing, listingMessages } from '#contract/listings.ts'
import { tradeMessages } from '#contract/trades.ts'
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts'
import { useSubmit } from '#web/features/drafts/use-submit.ts'
import { leftText } from '#web/features/listings/amount.ts'
import { myListingsQuery } from '#web/features/listings/listing-queries.ts'
import { readNumber } from '#web/i18n/read-number.ts'
import { SelectField, TextArea } from '#web/ui/field.tsx'
import { fieldOf } from '#web/ui/form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { proposeTrade } from './trade-steps.ts'
import { requestText } from './trade-text.ts'

const fields = z.object({ offer_listing_id: z.string(), quantity: z.string(), note: z.string() })
type Fields = z.output<typeof fields>

const saved: Fields = { offer_listing_id: '', quantity: '1', note: '' }

type TradeRequestDialogProps = {
  listing: Pick<Listing, 'id' | 'title' | 'type_id' | 'owner_username' | 'quantity_left' | 'unit'>
  /** True if the member must offer a listing in exchange. */
  isSwap?: boolean
  onClose: () => void
}

/** The dialog that requests a listing, with a note. For an exchange the member may offer one of their own. */
export function TradeRequestDialog({ listing, isSwap = false, onClose }: TradeRequestDialogProps) {
  const { form, isExchange, mine, offers, offer, submit } = useTradeRequest({ listing, onClose })
  const count = form.watch('note').trim().length
  const owner = <bdi>{listing.owner_username}</bdi>
  const noOffer = isSwap ? t`Please choose` : t`as we agree`
  return (
    <FormDialog
      title={isSwap ? t`propose a swap` : t`I’d like this`}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      submit={{ label: isSwap ? t`propose` : t`ask` }}
    >
      <p>
        <Trans>
          {owner} sees who asks, in order of arrival, and decides about <b dir="auto">{listing.title}</b>.
        </Trans>
      </p>
      {listing.quantity_left !== null && (
        <NumberField
          label={t`How many`}
          read={readNumber}
          inputMode="numeric"
          min={limits.quantity.min}
          max={listing.quantity_left || undefined}
          step={1}
          hint={leftText(listing)}
          {...fieldOf(form, 'quantity', { validate: (typed) => problemOf(typed, listing.quantity_left) })}
        />
      )}
      {isExchange && (
        <SelectField
          label={t`In exchange`}
          optional={!isSwap}
          hint={mine.isError ? t`Your listings could not be loaded.` : undefined}
          options={[
            { value: '', label: mine.isLoading ? t`Loading...` : noOffer },
            ...offers.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          {...fieldOf(form, 'offer_listing_id', {
            validate: () => !isSwap || offer !== undefined || t`Please choose a listing`,
          })}
          value={offer?.id ?? ''}
        />
      )}
      <TextArea
        label={t`Note`}
        optional
        counter={{ count, max: limits.trade.note }}
        {...fieldOf(form, 'note', {
          validate: (note) => note.trim().length <= limits.trade.note || tradeMessages.noteTooLong,
        })}
      />
    </FormDialog>
  )
}

/** Holds the form of a request with its draft. `offer` is undefined if the listing of the draft can not be offered any more. */
function useTradeRequest({ listing, onClose }: Pick<TradeRequestDialogProps, 'listing' | 'onClose'>) {
  const client = useQueryClient()
  const form = useForm<Fields>({ defaultValues: saved })
  const draft = useFormDraft(form, { key: `ask-${listing.id}`, schema: fields, saved })
  const isExchange = listing.type_id === types.exchange
  const mine = useQuery({ ...myListingsQuery, enabled: isExchange })
  const offers = mine.data?.filter(canBeOffered) ?? []
  const chosen = form.watch('offer_listing_id')
  const offer = offers.find(({ id }) => String(id) === chosen)
  const submit = useSubmit(form, {
    send: ({ note, quantity }) =>
      proposeTrade(client, {
        listing_id: listing.id,
        ...(offer && { offer_listing_id: offer.id }),
        ...(listing.quantity_left !== null && { quantity: readNumber(quantity) }),
        ...(note.trim() !== '' && { note }),
      }),
    draft,
    toast: requestText,
    leave: onClose,
  })
  return { form, isExchange, mine, offers, offer, submit }
}

/** Returns what is wrong with an amount. While nothing is left, the server knows how much may become free. */
function problemOf(typed: string, left: number | null) {
  const count = readNumber(typed)
  const { min, max } = limits.quantity
  if (!Number.isInteger(count) || count < min || count > max) return listingMessages.quantityOutside
  return count <= (left || max) || tradeMessages.notSoMany
}

function canBeOffered({ is_active, is_expired, state_id }: Listing) {
  return is_active && !is_expired && state_id === states.available
}
