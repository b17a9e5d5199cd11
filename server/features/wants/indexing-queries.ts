import type { Insertable } from 'kysely'
import { statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tables } from '#server/tables.ts'
import type { OwnedRow } from './queries.ts'

const addTerms = statement<
  [terms: string[], wants: number[], wanted: boolean[], users: number[], categories: (number | null)[]],
  object
>(
  `insert into want_terms (term, want_id, wanted, user_id, category_id)
   select * from unnest($1::text[], $2::bigint[], $3::boolean[], $4::bigint[], $5::smallint[])
   on conflict (term, want_id) do nothing`,
)

export async function insertWantTerms(
  tx: Db,
  rows: readonly Insertable<Tables['want_terms']>[],
): Promise<void> {
  await addTerms(
    tx,
    rows.map(({ term }) => term),
    rows.map(({ want_id }) => want_id),
    rows.map(({ wanted }) => wanted),
    rows.map(({ user_id }) => user_id),
    rows.map(({ category_id }) => category_id ?? null),
  )
}

export async function deleteWantTerms(tx: Db, wants: readonly number[]): Promise<void> {
  await tx.deleteFrom('want_terms').where('want_id', '=', anyOf(wants)).execute()
}

export async function updateTermsVersion(
  tx: Db,
  wants: readonly number[],
  terms_version: number,
): Promise<void> {
  await tx.updateTable('wants').set({ terms_version }).where('id', 'in', wants).execute()
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
