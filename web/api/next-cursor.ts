/** Returns the cursor in the `Link: <…?cursor=…>; rel="next"` header (RFC 8288), or undefined on the last page. */
export function nextCursor(headers: Headers): string | undefined {
  const links = headers.get('Link') ?? ''
  for (const [, target = '', parameters = ''] of links.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?(?:[^";]*\s)?next(?:\s[^";]*)?"?/i.test(parameters)) continue
    return URL.parse(target, 'https://here.invalid')?.searchParams.get('cursor') ?? undefined
  }
}
