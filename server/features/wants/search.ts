import type { z } from 'zod'
import type { FoundWant, searchWants } from '#contract/wants.ts'
import type { Deps } from '#server/deps.ts'
import { avatarPath } from '#server/features/images/paths.ts'
import { termsOfQuery } from '#server/features/listings/terms.ts'
import { cursorAt, cutPage, idAt } from '#server/platform/http/paging.ts'
import {
  countWith,
  type FoundRow,
  findLastCandidate,
  listNewestWants,
  listWantsWith,
} from './search-queries.ts'

interface Page {
  readonly rows: FoundWant[]
  readonly next: string | undefined
}

/**
 * What others want, newest first. Each word of `q` is found in the title, by whatever name. Of wants that have the rarest word
 * only so many are looked at for a page, so a page may have fewer than asked for and still say where to go on.
 */
export async function searchWishLists(
  db: Deps['db'],
  caller: number,
  { q, category_id, limit, cursor }: z.output<typeof searchWants.query>,
): Promise<Page> {
  const page = { before: idAt(cursor), limit: limit + 1, category: category_id ?? null }
  if (q === undefined) return pageOf(await listNewestWants(db, caller, page), limit)

  const words = termsOfQuery(q)
  if (words.length === 0) return { rows: [], next: undefined }
  const usage = await countWith(db, words)
  const [rarest = [], ...others] = words
    .map((word, index) => ({ word, used: usage[index] ?? 0 }))
    .sort((a, b) => a.used - b.used)
    .map(({ word }) => word)
  const rows = await listWantsWith(db, caller, { rarest, others }, page)
  if (rows.length > limit) return pageOf(rows, limit)
  const last = await findLastCandidate(db, rarest, page.before)
  return { rows: rows.map(onTheWire), next: last === undefined ? undefined : cursorAt(last) }
}

function pageOf(found: readonly FoundRow[], limit: number): Page {
  const { rows, next } = cutPage(found, limit, ({ id }) => id)
  return { rows: rows.map(onTheWire), next }
}

function onTheWire({ user_id, username, picture_name, ...want }: FoundRow): FoundWant {
  return { ...want, user: { id: user_id, username, profile_picture: avatarPath(picture_name, 'small') } }
}
