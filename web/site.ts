/** What the operator says about this site. */
export interface Site {
  readonly supportEmail: string | undefined
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
}
