/** The operator's settings that pages show. */
export interface Site {
  /** The URL of this site, without a slash at the end. */
  readonly publicUrl: string
  readonly supportEmail: string | undefined
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
}
