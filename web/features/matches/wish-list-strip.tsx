import { plural } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { Match } from '#contract/matches.ts'
import { ListingThumbnail } from '#web/features/listings/listing-thumbnail.tsx'
import { Icon } from '#web/ui/icon.tsx'
import css from './wish-list-strip.module.css'

/** The number of pictures. Narrow windows cut off the last ones. */
const maxPictures = 8

type WishListStripProps = {
  matches: readonly Match[]
  /** True if there are more matches than these. */
  hasMore: boolean
}

/** Links to the matches, with their number and pictures. Shows nothing if there are none. A listing that fits two wants counts once. */
export function WishListStrip({ matches, hasMore }: WishListStripProps) {
  const listings = [...new Map(matches.map(({ listing }) => [listing.id, listing])).values()]
  const count = listings.length
  if (count === 0) return null
  return (
    <Link to="/matches" className={css.strip}>
      <span className={css.text}>
        {hasMore
          ? plural(count, { one: '#+ fits your wish list', other: '#+ fit your wish list' })
          : plural(count, { one: '# fits your wish list', other: '# fit your wish list' })}
        <Icon name="next" size={18} />
      </span>
      <div className={css.pictures}>
        {listings.slice(0, maxPictures).map((listing) => (
          <ListingThumbnail key={listing.id} listing={listing} sizes="56px" className={css.picture} />
        ))}
      </div>
    </Link>
  )
}
