import type { IncomingHttpHeaders } from 'node:http'
import { bannerCookie } from '#contract/constants.ts'

const id = /^[\w-]{1,40}$/
const dismissed = new RegExp(`(?:^|; ?)${bannerCookie}=([\\w-]{1,40})(?:;|$)`)

const yearSeconds = 31_536_000

/** Returns the banner that the link of a page dismisses. The link works without scripts: `?banner=ID`. */
export function requestedDismissal(query: unknown): string | undefined {
  const requested = new Map(Object.entries(Object(query))).get(bannerCookie)
  return typeof requested === 'string' && id.test(requested) ? requested : undefined
}

/** Returns the cookie that stores the dismissed banner. */
export function dismissalCookieOf(banner: string, isSecure: boolean): string {
  return `${bannerCookie}=${banner}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${isSecure ? '; Secure' : ''}`
}

/** Returns the banner that the browser has dismissed. */
export function dismissalIn({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  return dismissed.exec(cookie)?.[1]
}
