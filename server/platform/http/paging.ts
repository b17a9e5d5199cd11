import { apiBase } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { Answer } from './route.ts'

/** A page of a list as an answer: while there is more, a Link header (RFC 8288) says where. */
export function nextPage<Rows>(
  { path }: Pick<Endpoint, 'path'>,
  query: Readonly<Record<string, unknown>>,
  rows: Rows,
  cursor: string | undefined,
): Rows | Answer<Rows> {
  if (cursor === undefined) return rows
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat())
      if (one !== undefined && name !== 'cursor') next.append(name, String(one))
  }
  next.set('cursor', cursor)
  return new Answer(rows, { link: `<${apiBase}${path}?${next}>; rel="next"` })
}
