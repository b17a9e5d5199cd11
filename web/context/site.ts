/** The operator's settings that pages show. */
export interface Site {
  readonly supportEmail: string | undefined
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
}
