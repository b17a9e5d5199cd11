import type { Site } from '#web/site.ts'

/** The input of a page's rendering, from the HTTP server. */
export interface PageRequest {
  /** The nonce of the response's content security policy. */
  readonly nonce: string
  readonly site: Site
  /** Whether the screen is rendered on the server. Otherwise the page is the app shell, and the browser renders the screen. */
  readonly ssr: boolean
  /** The member of the page's cookie. The browser shows the page only if the record in its local storage is theirs. */
  readonly member: { readonly id: number; readonly username: string } | undefined
  /** Whether there is a cookie at all. */
  readonly hasCookie: boolean
  /** Calls the API in process, as the member. Rejects when it takes too long for a page. */
  readonly fetch: typeof fetch
}
