/**
 * The place a visitor wanted before the login: a path of this site, or nothing. Never leads to another site. Nothing is
 * said aloud, because the router keeps what it finds in the address under a name that is left out.
 */
export function wantedPlace({ next }: Record<string, unknown>): { next?: string | undefined } {
  const url = typeof next === 'string' && next.startsWith('/') ? URL.parse(next, location.origin) : null
  if (url === null || url.origin !== location.origin || url.pathname === '/') return { next: undefined }
  return { next: `${url.pathname}${url.search}${url.hash}` }
}
