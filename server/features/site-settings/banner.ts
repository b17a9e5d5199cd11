import { createHash } from 'node:crypto'
import type { SiteSettings } from '#contract/site-settings.ts'

/** A day ends everywhere this long after it has begun in UTC: 24 hours, and 12 in the last time zone. */
const dayEverywhereMs = 36 * 60 * 60 * 1000

type BannerSettings = Pick<SiteSettings, 'banner_text' | 'banner_link' | 'banner_last_day'>

/** Returns the banner, unless there is none or its last day is over. */
export function bannerOf({ banner_text: text, banner_link: link, banner_last_day: last }: BannerSettings) {
  if (text === '') return undefined
  if (last !== '' && Date.now() > Date.parse(last) + dayEverywhereMs) return undefined
  const id = createHash('sha256').update(`${text}\n${link}`).digest('base64url').slice(0, 16)
  return { id, text, link }
}
