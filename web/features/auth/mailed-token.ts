import { normalizeIdentifier } from '#contract/identifiers.ts'

/** Validates the search parameters of a page that a mail links to. Returns the token as text: the router parses digits as a number. */
export function parseMailedToken({ token }: Record<string, unknown>): { token?: string | undefined } {
  const isGiven = (typeof token === 'string' && token !== '') || typeof token === 'number'
  return { token: isGiven ? normalizeIdentifier(String(token)) || undefined : undefined }
}
