import { image } from '#contract/constants.ts'
import { type SiteLogo, siteSettingMessages } from '#contract/site-settings.ts'
import { pathOfRendition } from '#server/features/images/paths.ts'
import { invalid } from '#server/platform/errors.ts'
import type { StoredImage } from '#server/platform/images/images.ts'

const { minSide, wide, tall } = image.logo

/** Returns the setting of a stored picture. Throws `invalid` if it is so small, wide or tall that it does not fit the header of pages. */
export function logoOf({ name, width, height }: StoredImage): SiteLogo {
  if (width > wide * height || height > tall * width) throw invalid('image', siteSettingMessages.logoShape)
  if (Math.min(width, height) < minSide) throw invalid('image', siteSettingMessages.logoTooSmall)
  return {
    src: pathOfRendition(name, width),
    jpeg: pathOfRendition(name, width, 'jpg'),
    width,
    height,
  }
}
