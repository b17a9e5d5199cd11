import type { ReactNode } from 'react'
import { apiBase } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { Plate, type PlatePicture } from '#web/ui/plate.tsx'
import { cropArt } from './crop-art.ts'

type ListingPlateProps = {
  listing: Listing
  /** How wide the plate is, as in `<img sizes>`. */
  sizes: string
  /** Empty where the title stands beside the picture. */
  alt?: string
  eager?: boolean
  className?: string | undefined
  children?: ReactNode
}

/** The photo of a listing, or a drawing from the catalog. */
export function ListingPlate({ listing, alt = '', ...plate }: ListingPlateProps) {
  return <Plate {...plate} alt={alt} picture={pictureOf(listing)} />
}

function pictureOf({ featured_image, image, title, category_id }: Listing): PlatePicture {
  if (featured_image === null) return { src: cropArt(title, category_id) }
  return { ...image, src: `${apiBase}/${featured_image}` }
}
