import type { IncomingHttpHeaders } from 'node:http'

/** The cookie that web/login/browser-login.ts sets. With HTTPS the prefix `__Host-` proves that this host has set it. */
const loginCookies = { http: /(?:^|; ?)login=([^;\s]+)/, https: /(?:^|; ?)__Host-login=([^;\s]+)/ }

/** Returns the session token of the login cookie. `<img>` elements and page requests send it; the API never reads it otherwise. */
export function cookieToken({ cookie = '' }: IncomingHttpHeaders, https: boolean): string | undefined {
  return loginCookies[https ? 'https' : 'http'].exec(cookie)?.[1]
}
