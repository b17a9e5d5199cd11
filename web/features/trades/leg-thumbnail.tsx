import type { TradeListing } from '#contract/trades.ts'
import { pictureOf } from '#web/features/listings/listing-thumbnail.tsx'
import { Thumbnail } from '#web/ui/thumbnail.tsx'

type LegThumbnailProps = { listing: TradeListing; className?: string | undefined }

/** Shows the photo or drawing of a trade's listing in a row. */
export function LegThumbnail({ listing, className }: LegThumbnailProps) {
  return (
    <Thumbnail alt="" picture={pictureOf({ ...listing, image: null })} sizes="64px" className={className} />
  )
}
