import type { ReactNode } from 'react'
import { apiBase } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import uncategorized from '#web/art/crops/uncategorized.svg'
import { Thumbnail, type ThumbnailPicture } from '#web/ui/thumbnail.tsx'

type ListingThumbnailProps = {
  listing: Listing
  /** The width of the thumbnail, as in `<img sizes>`. */
  sizes: string
  eager?: boolean
  className?: string | undefined
  children?: ReactNode
}

/** Shows the photo of a listing, or a drawing from the catalog, without an alternative text because the title is next to it. */
export function ListingThumbnail({ listing, ...thumbnail }: ListingThumbnailProps) {
  return <Thumbnail {...thumbnail} alt="" picture={pictureOf(listing)} />
}

const art = import.meta.glob<string>('../../art/crops/*.svg', {
  eager: true,
  import: 'default',
  query: '?url',
})

/** Returns the photo of a listing, or its drawing. A drawing that this version of the app does not have is a basket. */
export function pictureOf({
  featured_image,
  image,
  drawing,
}: Pick<Listing, 'featured_image' | 'image' | 'drawing'>): ThumbnailPicture {
  if (featured_image === null) return { src: art[`../../art/crops/${drawing}.svg`] ?? uncategorized }
  return { ...image, src: `${apiBase}/${featured_image}` }
}
