import { normalizeIdentifier } from '#contract/identifiers.ts'

export interface RedirectTarget {
  next?: string | undefined
  /** The `invite` of a member's link, for a registration by this link. */
  invitation?: string | undefined
}

/**
 * Returns the page to show after the login, only if it is a path of this site. Returns invalid parameters as undefined: the
 * router would keep a parameter of the address that is left out.
 */
export function parseRedirectTarget({ next, invitation }: Record<string, unknown>): RedirectTarget {
  return {
    next: ownPath(next),
    invitation: (typeof invitation === 'string' && normalizeIdentifier(invitation)) || undefined,
  }
}

function ownPath(next: unknown): string | undefined {
  const url = typeof next === 'string' && next.startsWith('/') ? sameOrigin(next) : undefined
  if (url === undefined || url.pathname === '/') return undefined
  const path = `${url.pathname}${url.search}${url.hash}`
  // `/.//host` is of this origin, but its normalized path is `//host`, which is not.
  return sameOrigin(path) && path
}

/** A placeholder for this site's origin, which the server does not have. */
const placeholderOrigin = 'https://here.invalid'

function sameOrigin(path: string): URL | undefined {
  try {
    const url = new URL(path, placeholderOrigin)
    return url.origin === placeholderOrigin ? url : undefined
  } catch {
    return undefined
  }
}
