import { type Insertable, sql } from 'kysely'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tables } from '#server/tables.ts'
import type { OwnedRow } from './queries.ts'

export async function insertWantTerms(
  tx: Db,
  rows: readonly Insertable<Tables['want_terms']>[],
): Promise<void> {
  await sql`
    insert into want_terms (term, want_id, wanted, user_id, category_id)
    select * from json_to_recordset(${JSON.stringify(rows)}::json)
      as x (term text, want_id bigint, wanted boolean, user_id bigint, category_id smallint)
    on conflict (term, want_id) do nothing`.execute(tx)
}

export async function deleteWantTerms(tx: Db, wants: readonly number[]): Promise<void> {
  await tx.deleteFrom('want_terms').where('want_id', '=', anyOf(wants)).execute()
}

/** Sets the crops of wants, and their members' locations. */
export async function updateIndexed(
  tx: Db,
  wants: readonly Pick<Row<'wants'>, 'id' | 'crops'>[],
  termsVersion: number,
): Promise<void> {
  await sql`
    update wants w set crops = x.crops, postal_code_id = u.postal_code_id, terms_version = ${termsVersion}::smallint
    from json_to_recordset(${JSON.stringify(wants)}::json) as x (id bigint, crops text[]), users u
    where w.id = x.id and u.id = w.user_id`.execute(tx)
}

/** Locks and returns wants with missing or outdated terms. Skips locked ones. */
export async function listUnindexedWants(tx: Db, version: number, limit: number): Promise<OwnedRow[]> {
  return tx
    .selectFrom('wants')
    .select(['id', 'user_id', 'title', 'category_id'])
    .where('terms_version', '<', version)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}
