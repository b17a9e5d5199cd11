import type { CategoryId } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { countFitting } from './fitting-queries.ts'
import { termsOfQuery } from './terms.ts'

/** What somebody wishes for. */
interface Wish {
  readonly id: number
  readonly title: string
  readonly category_id: CategoryId | null
}

/** How many listings fit each wish, by its id: what others have, and the caller may see. What is uncategorized fits every category. */
export async function countListingsFor(
  db: Deps['db'],
  caller: number,
  wishes: readonly Wish[],
): Promise<ReadonlyMap<number, number>> {
  const sought = wishes.map(({ id, title, category_id }) => ({ id, category_id, words: termsOfQuery(title) }))
  const rows = sought.length === 0 ? [] : await countFitting(db, caller, sought)
  return new Map(rows.map(({ id, fitting }) => [id, fitting]))
}
