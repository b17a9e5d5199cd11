import { sql } from 'kysely'
import { apiBase } from '#contract/constants.ts'
import type { Photo, ResponsiveImage } from '#contract/images.ts'
import { renditionFile } from '#server/platform/images/images.ts'

/** The widths of the two renditions of every avatar, in pixels. */
const avatarWidths = { small: 96, large: 460 } as const
/** The maximum width of photos in mails, twice the displayed width. */
const maxMailWidth = 640

/** The columns of a listing's first photo. `image_widths` is a comma-separated list. */
export interface ImageRow {
  image_name: string | null
  image_widths: string | null
}

/** Selects the columns of `ImageRow`, with `firstPhoto`. */
export const imageColumns = `i.name as image_name, array_to_string(i.widths, ',') as image_widths`

/** Joins the first photo of listing `l`. */
export const firstPhoto = 'left join images i on i.listing_id = l.id and i.position = 0'

/** Returns the file name of a member's photo: small for lists, large for profiles. */
export function avatarFile(name: string, size: keyof typeof avatarWidths): string {
  return renditionFile(name, avatarWidths[size])
}

/** Selects the path of a member's photo below the API's base; null without one. `member` is a row of `users`. */
export function avatarPath(member: string, size: keyof typeof avatarWidths): string {
  return `'images/' || ${member}.picture_name || '${avatarFile('', size)}'`
}

/** Selects `avatarPath` as `profile_picture`, for Kysely. */
export function profilePicture(member: string, size: keyof typeof avatarWidths) {
  return sql.raw<string | null>(avatarPath(member, size)).as('profile_picture')
}

/** Returns the path of a member's photo as JPEG for mails. */
export function mailedAvatarPath(name: string | null): string | null {
  return name === null ? null : `images/${renditionFile(name, avatarWidths.large, 'jpg')}`
}

/** Returns the path of a listing's photo as JPEG for mails. */
export function mailedPhotoPath({ image_name, image_widths }: ImageRow): string | null {
  if (image_name === null || !image_widths) return null
  const widths = image_widths.split(',').map(Number)
  const width = widths.findLast((width) => width <= maxMailWidth) ?? widths[0]
  return width === undefined ? null : `images/${renditionFile(image_name, width, 'jpg')}`
}

/** Returns the path of a listing's photo below the API's base. */
export function photoPath({ image_name, image_widths }: ImageRow): string | null {
  if (image_name === null || !image_widths) return null
  return `images/${renditionFile(image_name, Number(image_widths.split(',').at(-1)))}`
}

/** The row of a photo of a listing or a message. */
export interface PhotoRow {
  id: number
  name: string
  width: number
  height: number
  placeholder: string
  widths: number[]
  alt: string | null
  position: number
}

/** Selects the `PhotoRow`s of images `i` as JSON; null if there are none. `orderedPhotos` sorts them, because a sort per row is slower. */
export function photoRows(condition: string, from = 'images i', position = 'i.position'): string {
  return `(select json_agg(json_build_object('id', i.id, 'name', i.name, 'width', i.width, 'height', i.height,
    'placeholder', i.placeholder, 'widths', i.widths, 'alt', i.alt, 'position', ${position})) from ${from} where ${condition})`
}

/** Returns the path of a rendition from the root. */
export function pathOfRendition(...[name, width, form]: Parameters<typeof renditionFile>): string {
  return `${apiBase}/images/${renditionFile(name, width, form)}`
}

/** Returns a photo with the attributes of its element. The widest size is the `src`. */
export function photoOf({
  id,
  name,
  width,
  height,
  placeholder,
  widths,
  alt,
}: Omit<PhotoRow, 'position'>): Photo {
  const srcOf = (width: number) => pathOfRendition(name, width)
  const srcset = widths.map((width) => `${srcOf(width)} ${width}w`).join(', ')
  return { id, src: srcOf(widths.at(-1) ?? width), srcset, width, height, placeholder, alt }
}

/** Returns the photos of a listing or a message in their order. */
export function orderedPhotos(rows: readonly PhotoRow[] | null): Photo[] {
  return (rows ?? []).toSorted((a, b) => a.position - b.position).map(photoOf)
}

/** Returns a listing's photos. `featured_image` and `image` are the first. */
export function photosOf(rows: readonly PhotoRow[] | null): {
  featured_image: string | null
  image: ResponsiveImage | null
  images: Photo[]
} {
  const images = orderedPhotos(rows)
  const [first] = images
  return { featured_image: first?.src.slice(`${apiBase}/`.length) ?? null, image: first ?? null, images }
}
