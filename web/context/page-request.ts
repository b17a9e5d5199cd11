import type { Language } from '#contract/languages.ts'
import type { Site } from './site.ts'

/** The data of a page request, from the HTTP server to the renderer. */
export interface PageRequest {
  /** The nonce of the response's content security policy. */
  readonly nonce: string
  readonly site: Site
  /** The language of the member or guest. */
  readonly language: Language
  /** True if the server renders the screen. Otherwise the page is the app shell, and the browser renders the screen. */
  readonly ssr: boolean
  /** The member of the cookie. The bootstrap script discards the page if the stored login is of another member. */
  readonly member: { readonly id: number; readonly username: string } | undefined
  /** True if there is a login cookie, valid or not. */
  readonly hasCookie: boolean
  /** Calls the API in process as the member. Rejects after a time limit. */
  readonly fetch: typeof fetch
}
