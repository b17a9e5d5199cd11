/** Where the site is: its country (ISO 3166), its currency (ISO 4217), its unit of distance and its first day of the week. */
export interface Region {
  readonly country: string
  readonly currency: string
  readonly distanceUnit: 'mi' | 'km'
  readonly firstDay: 'monday' | 'saturday' | 'sunday'
}

/** The operator's settings that pages show. */
export interface Site {
  /** The URL of this site, without a slash at the end. */
  readonly publicUrl: string
  /** The setting PUBLIC_URL, which is the only address where everything works; undefined allows any. */
  readonly canonicalUrl?: string | undefined
  readonly supportEmail: string | undefined
  readonly region: Region
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
}
