import type { Listing } from '#contract/listings.ts'
import { type CardVariant, ListingCard } from './listing-card.tsx'
import css from './listing-grid.module.css'
import { cardsInFirstScreen } from './picture-sizes.ts'

export function ListingGrid({ listings, variant }: { listings: readonly Listing[]; variant: CardVariant }) {
  return (
    <ul className={css.grid}>
      {listings.map((listing, index) => (
        <li key={listing.id}>
          <ListingCard listing={listing} variant={variant} eager={index < cardsInFirstScreen} />
        </li>
      ))}
    </ul>
  )
}
