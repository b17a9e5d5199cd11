/** Returns the token of a mail's link, if it has one. The router parses a token of digits as a number. */
export function mailedToken({ token }: Record<string, unknown>): { token?: string | undefined } {
  const isGiven = (typeof token === 'string' && token !== '') || typeof token === 'number'
  return { token: isGiven ? String(token) : undefined }
}
