export interface RedirectTarget {
  next?: string | undefined
  /** The `invite` of a member's link, for who registers by it. */
  invitation?: string | undefined
}

/**
 * The place a visitor wanted before the login: a path of this site, or nothing. Never leads to another site. Nothing is
 * said aloud, because the router keeps what it finds in the address under a name that is left out.
 */
export function redirectTarget({ next, invitation }: Record<string, unknown>): RedirectTarget {
  return {
    next: placeOf(next),
    invitation: typeof invitation === 'string' && invitation !== '' ? invitation : undefined,
  }
}

function placeOf(next: unknown): string | undefined {
  const url = typeof next === 'string' && next.startsWith('/') ? sameOrigin(next) : undefined
  if (url === undefined || url.pathname === '/') return undefined
  const path = `${url.pathname}${url.search}${url.hash}`
  // `/.//host` is of this origin, but its normalized path is `//host`, which is not.
  return sameOrigin(path) && path
}

/** Stands for the origin of this site, which the server does not know. */
const here = 'https://here.invalid'

function sameOrigin(path: string): URL | undefined {
  const url = URL.parse(path, here)
  return url?.origin === here ? url : undefined
}
