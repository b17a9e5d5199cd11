import { findRole } from '#server/features/desk/roles.ts'
import type { Db } from '#server/tables.ts'

/**
 * Returns the member whose reports a caller of the desk does not see: a moderator none about themselves, because they name the reporters.
 * Null for an operator, because a site may have only one, who decides on all.
 */
export async function hiddenSubject(db: Db, caller: number): Promise<number | null> {
  return (await findRole(db, caller)) === 'operator' ? null : caller
}
