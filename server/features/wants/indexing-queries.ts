import { type Insertable, sql } from 'kysely'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tables } from '#server/tables.ts'
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

export async function updateTermsVersion(
  tx: Db,
  wants: readonly number[],
  terms_version: number,
): Promise<void> {
  await tx.updateTable('wants').set({ terms_version }).where('id', '=', anyOf(wants)).execute()
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
