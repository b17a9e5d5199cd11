import { types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { priceText } from './price.ts'
import css from './price-tag.module.css'

type PriceTagProps = {
  listing: Pick<Listing, 'type_id' | 'price'>
  /** Renders a white tag at the lower left of a thumbnail. */
  overlay?: boolean
}

/** Shows the price of a sale, or the type of another listing. */
export function PriceTag({ listing, overlay = false }: PriceTagProps) {
  const { type_id } = listing
  return (
    <span className={classNames(css.tag, type_id !== types.sell && css.free, overlay && css.overlay)}>
      {type_id === types.exchange && <Icon name="swap" />}
      {type_id === types.giveaway && <Icon name="gift" />}
      {priceText(listing)}
    </span>
  )
}
