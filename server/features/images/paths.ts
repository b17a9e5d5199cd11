import { apiBase } from '#contract/constants.ts'
import type { Picture } from '#contract/images.ts'
import { renditionFile } from '#server/platform/images/images.ts'

/** The widths of the two renditions of every avatar, in pixels. */
const avatarWidths = { small: 96, large: 460 } as const
/** The maximum width of photos in mails, twice the displayed width. */
const maxMailWidth = 640

/** The columns of a stored photo. `image_widths` is a comma-separated list. */
export interface ImageRow {
  image_name: string | null
  image_width: number | null
  image_height: number | null
  image_placeholder: string | null
  image_widths: string | null
}

/** Returns the file of a member's photo: small for lists, large for profiles. */
export function avatarFile(name: string, size: keyof typeof avatarWidths): string {
  return renditionFile(name, avatarWidths[size])
}

/** Returns the path of a member's photo below the API's base. */
export function avatarPath(name: string | null, size: keyof typeof avatarWidths): string | null {
  return name === null ? null : `images/${avatarFile(name, size)}`
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

/** Returns a listing's photo: its path below the API's base, and the attributes of `<img>`. */
export function photo(row: ImageRow): { featured_image: string | null; image: Picture | null } {
  const { image_name, image_width, image_height, image_placeholder, image_widths } = row
  if (
    image_name === null ||
    image_width === null ||
    image_height === null ||
    image_placeholder === null ||
    !image_widths
  ) {
    return { featured_image: null, image: null }
  }
  const widths = image_widths.split(',')
  return {
    featured_image: `images/${renditionFile(image_name, Number(widths.at(-1)))}`,
    image: {
      width: image_width,
      height: image_height,
      placeholder: image_placeholder,
      srcset: widths
        .map((width) => `${apiBase}/images/${renditionFile(image_name, Number(width))} ${width}w`)
        .join(', '),
    },
  }
}
