import { plural } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { unknownMember } from '#web/features/members/username.tsx'
import text from '#web/styles/text.module.css'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Row, Stack } from '#web/ui/layout.tsx'
import { daysSince, Time, timeAgo } from '#web/ui/time.tsx'
import { leftText } from './amount.ts'
import { bandText } from './distance.ts'
import css from './listing-card.module.css'
import { ListingState } from './listing-state.tsx'
import { ListingThumbnail } from './listing-thumbnail.tsx'
import { pictureSizes } from './picture-sizes.ts'
import { PriceTag } from './price-tag.tsx'
import { readyIn } from './ready.ts'

/** `market` shows the owner. `seller`, on the owner's page, puts a border around active listings that are not gone. */
export type CardVariant = 'market' | 'seller'

type ListingCardProps = { listing: Listing; variant: CardVariant; eager: boolean }

/** A link to the listing. The title comes first in the markup, so that screen readers read it before the tags on the picture. */
export const ListingCard = memo(function ListingCard({ listing, variant, eager }: ListingCardProps) {
  const isOffered = listing.is_active && listing.state_id !== states.gone
  const left = leftText(listing)
  const ready = readyIn(listing)
  const border = variant === 'seller' && (isOffered ? css.active : css.idle)
  const band = bandText(listing)
  return (
    <Link className={classNames(css.card, border)} to="/listings/$id" params={{ id: String(listing.id) }}>
      <h2 className={css.title} dir="auto">
        {listing.title}
      </h2>
      <ListingThumbnail listing={listing} className={css.thumbnail} sizes={pictureSizes.card} eager={eager}>
        <PriceTag listing={listing} overlay />
        <Row as="span" gap="1" align="stretch" className={css.state}>
          <ListingState listing={listing} overlay />
        </Row>
      </ListingThumbnail>
      {ready !== undefined && <p className={text.caption}>{ready}</p>}
      {left !== undefined && (
        <p className={classNames(text.caption, text.muted)} dir="auto">
          {left}
        </p>
      )}
      {variant === 'market' && <Owner listing={listing} band={band} />}
      {variant === 'seller' && band !== undefined && (
        <p className={classNames(text.caption, text.muted)}>{band}</p>
      )}
      {variant === 'market' && listing.folded_count > 0 && (
        <p className={classNames(text.caption, text.muted)}>
          {plural(listing.folded_count, { one: 'and # more like this', other: 'and # more like this' })}
        </p>
      )}
      <p className={classNames(text.caption, text.muted, css.posted)}>
        <Time isDay at={listing.created_at} format={(at) => (daysSince(at) === 0 ? '' : timeAgo(at))} />
      </p>
    </Link>
  )
})

function Owner({ listing, band }: { listing: Listing; band: string | undefined }) {
  const name = listing.owner_username || unknownMember()
  return (
    <Row as="p" gap="2" className={css.owner}>
      <Avatar id={listing.owner_id} name={name} picture={listing.owner_profile_picture} size="xs" />
      <Stack as="span" gap="0" className={css.who}>
        <bdi className={text.ellipsis}>{name}</bdi>
        {band !== undefined && <span className={text.ellipsis}>{band}</span>}
      </Stack>
    </Row>
  )
}
