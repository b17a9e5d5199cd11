import type { Logger } from 'pino'
import type { Counter } from 'prom-client'
import type { Replica } from '#server/platform/db/replica.ts'
import type { Db, Tables } from '#server/tables.ts'
import { hasRecentWrite, insertRecentWrites } from './queries.ts'

/** Reads that may come from a replica. Without one they come from the primary. */
export interface Reads {
  /**
   * Runs the work, which must only read, for a member: on the replica if it is usable and the member has not written in the last ten
   * seconds, else on the primary. Any error on the replica, also a row that is not found, repeats the work on the primary.
   * `confirm` decides on the primary what the member may see of the replica's result.
   */
  run<Result>(
    member: number,
    work: (db: Db) => Promise<Result>,
    confirm: (result: Result) => Promise<Result>,
  ): Promise<Result>
  /** Records that a request of the member may have written. Logs an error instead of failing a request that is already committed. */
  afterWrite(member: number): Promise<void>
}

interface Needs {
  readonly db: Db
  readonly log: Pick<Logger, 'warn'>
  /** Counts reads by where they ran: `replica`, `own_write`, `left_out` or `repeated`. */
  readonly outcomes: Counter<'outcome'>
}

export function createReads(
  { db, log, outcomes }: Needs,
  replica: Pick<Replica<Tables>, 'isUsable' | 'run'> | undefined,
): Reads {
  if (!replica) return { run: (_member, work) => work(db), afterWrite: async () => {} }

  async function reasonForPrimary(member: number): Promise<string | undefined> {
    if (!replica?.isUsable()) return 'left_out'
    return (await hasRecentWrite(db, member)) ? 'own_write' : undefined
  }

  return {
    async run(member, work, confirm) {
      const reason = await reasonForPrimary(member)
      if (reason !== undefined) {
        outcomes.inc({ outcome: reason })
        return work(db)
      }
      const read = await replica.run(work).then(
        (result) => ({ result }),
        () => undefined,
      )
      outcomes.inc({ outcome: read ? 'replica' : 'repeated' })
      return read ? confirm(read.result) : work(db)
    },
    async afterWrite(member) {
      await insertRecentWrites(db, [member]).catch((error) =>
        log.warn({ err: error, member }, 'A recent write could not be recorded'),
      )
    },
  }
}
