import type { RegistrationMode, SiteLogo } from '#contract/site-settings.ts'
import type { Region } from '#web/i18n/region.ts'

/** The operator's settings that pages show. */
export interface Site {
  readonly name: string
  /** Empty for the sentence of the release. */
  readonly sentence: string
  /** A picture that stands for the drawn name. */
  readonly logo: SiteLogo | null
  /** A text above all pages, unless the browser has dismissed it. Its `link` may be empty. */
  readonly banner: { readonly id: string; readonly text: string; readonly link: string } | undefined
  readonly registration: RegistrationMode
  /** The URL of this site, without a slash at the end. */
  readonly publicUrl: string
  /** The setting PUBLIC_URL, which is the only address where everything works; undefined allows any. */
  readonly canonicalUrl?: string | undefined
  readonly supportEmail: string | undefined
  readonly region: Region
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
}
