import type { Photo } from '#contract/images.ts'

/** Returns the text alternative of one of a listing's photos: its owner's description, or its place among them. */
export function photoAlt(photos: readonly Photo[], index: number, title: string): string {
  const described = photos[index]?.alt
  if (described) return described
  return photos.length > 1 ? `Photo ${index + 1} of ${photos.length} of ${title}` : title
}
