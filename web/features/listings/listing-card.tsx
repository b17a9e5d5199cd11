import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Listing } from '#contract/listings.ts'
import { unknownMember } from '#web/features/sellers/username.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import css from './listing-card.module.css'
import { ListingState } from './listing-state.tsx'
import { ListingThumbnail } from './listing-thumbnail.tsx'
import { pictureSizes } from './picture-sizes.ts'
import { PostedTime } from './posted-time.tsx'
import { PriceTag } from './price-tag.tsx'

/** `market` names the owner; `seller` is on the owner's own page and frames what is active. */
export type CardLook = 'market' | 'seller'

type ListingCardProps = { listing: Listing; look: CardLook; eager: boolean }

/** The whole card opens the listing. Its title is read before what hangs on the picture above it. */
export const ListingCard = memo(function ListingCard({ listing, look, eager }: ListingCardProps) {
  const frame = look === 'seller' && (listing.is_active ? css.active : css.idle)
  return (
    <Link className={classNames(css.card, frame)} to="/listings/$id" params={{ id: String(listing.id) }}>
      <h2 className={css.title} dir="auto">
        {listing.title}
      </h2>
      <ListingThumbnail listing={listing} className={css.thumbnail} sizes={pictureSizes.card} eager={eager}>
        <PriceTag listing={listing} hanging />
        <span className={css.state}>
          <ListingState listing={listing} hanging />
        </span>
      </ListingThumbnail>
      {look === 'market' && <Owner listing={listing} />}
      <p className={css.posted}>
        <PostedTime at={listing.created_at} olderOnly />
      </p>
    </Link>
  )
})

function Owner({ listing }: { listing: Listing }) {
  const name = listing.owner_username || unknownMember
  return (
    <p className={css.owner}>
      <Avatar id={listing.owner_id} name={name} picture={listing.owner_profile_picture} size="xs" />
      <span className={css.who}>
        <span>{name}</span>
        {listing.within_miles !== null && <span>under {listing.within_miles} miles</span>}
      </span>
    </p>
  )
}
