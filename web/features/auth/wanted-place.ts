/** The place a visitor wanted before the login: a path of this site, or nothing. Never leads to another site. */
export function wantedPlace(search: Record<string, unknown>): { next?: string } {
  const { next } = search
  if (typeof next !== 'string' || !next.startsWith('/')) return {}
  const url = URL.parse(next, location.origin)
  if (url === null || url.origin !== location.origin || url.pathname === '/') return {}
  return { next: `${url.pathname}${url.search}${url.hash}` }
}
