import { inLongTransaction } from '#server/platform/db/database.ts'
import { OperatorError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import {
  distributeTables,
  findCluster,
  findClusterState,
  lockTables,
  truncateLocalRows,
  updateKeys,
} from './distribution-queries.ts'

const maxMs = 12 * 60 * 60_000

/**
 * Distributes messages and threads over the workers of a Citus cluster, whose coordinator is the database (decision 0065). Both tables are
 * locked meanwhile. Returns what it did. Throws OperatorError without Citus or workers.
 */
export async function distributeMessages(db: Db): Promise<string> {
  if (!(await findCluster(db))?.has_citus)
    throw new OperatorError(
      'The database has no Citus. Install Citus 14 on it and on its workers, run “create extension citus”, and add the workers with citus_add_node (docs/scaling.md).',
    )
  const state = await findClusterState(db)
  if (state?.is_distributed) return 'Messages and threads are distributed already. Nothing was changed.'
  if (!state?.workers) throw new OperatorError('The cluster has no workers. Add them with citus_add_node.')
  const moved = await inLongTransaction(db, maxMs, async (tx) => {
    const rows = await lockTables(tx)
    await updateKeys(tx)
    await distributeTables(tx)
    return rows
  })
  await truncateLocalRows(db)
  return `Distributed ${moved.messages} messages by low_id and ${moved.threads} threads by member_id over ${state.workers} workers.`
}
