/** The token that a mail's link carries, or nothing. The router reads one of digits alone as a number. */
export function mailedToken({ token }: Record<string, unknown>): { token?: string | undefined } {
  const isGiven = (typeof token === 'string' && token !== '') || typeof token === 'number'
  return { token: isGiven ? String(token) : undefined }
}
