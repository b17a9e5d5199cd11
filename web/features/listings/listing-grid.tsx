import type { Listing } from '#contract/listings.ts'
import { type CardLook, ListingCard } from './listing-card.tsx'
import css from './listing-grid.module.css'
import { cardsInFirstScreen } from './picture-sizes.ts'

export function ListingGrid({ listings, look }: { listings: readonly Listing[]; look: CardLook }) {
  return (
    <ul className={css.grid}>
      {listings.map((listing, place) => (
        <li key={listing.id}>
          <ListingCard listing={listing} look={look} eager={place < cardsInFirstScreen} />
        </li>
      ))}
    </ul>
  )
}
