import type { TradeListing } from '#contract/trades.ts'
import { firstPhoto, type ImageRow, imageColumns, photoPath } from '#server/features/images/paths.ts'
import { isVisibleTo } from '#server/features/visibility/listings.ts'
import type { Row } from '#server/tables.ts'

/** The columns of a leg of a trade or a ring about its listing. `title` and `drawing` are null while the listing is withheld. */
export interface LegListingRow extends ImageRow, Pick<Row<'listings'>, 'type_id' | 'price'> {
  listing_id: number
  giver_id: number
  title: string | null
  drawing: Row<'listings'>['drawing'] | null
  is_visible: boolean
}

/** Joins the photo of the listing of leg `leg` as `shown`, if the member `me` may see the listing. */
export const shownListing = `left join lateral (
    select true as is_visible, ${imageColumns} from listings l ${firstPhoto}
    where l.id = leg.listing_id and ${isVisibleTo('me.id')} limit 1
  ) shown on true`

/** Returns the listing of a leg. The photo is left out if the caller may not see the listing now. */
export function listingOfLeg(leg: LegListingRow): TradeListing {
  const featured_image = photoPath(leg)
  return {
    id: leg.listing_id,
    title: leg.title,
    featured_image,
    drawing: featured_image === null ? leg.drawing : null,
    type_id: leg.type_id,
    price: leg.price,
    owner_id: leg.giver_id,
    is_visible: leg.is_visible,
  }
}
