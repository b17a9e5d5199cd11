import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/jobs.ts'
import type { Tx } from '#server/tables.ts'
import { endRequests } from './endings.ts'
import {
  advanceTrades,
  checkRings,
  cleanUpRings,
  endRequestsJob,
  findRingsJob,
  publishTrade,
} from './job-kinds.ts'
import { listDue, type ReminderColumn, takeReminder } from './job-queries.ts'
import { notifyAll } from './notifications.ts'
import { listParties } from './queries.ts'
import { findRings } from './rings.ts'
import { deleteInvalidRings, deleteOldRings } from './rings-queries.ts'
import { lapseTrade } from './trades.ts'
import { tradesByIds } from './views.ts'

type Needs = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime'>

/** The days until the suggestion of a ring is deleted. */
const ringDays = 30
/** The trades that lapse in a run, and those that are reminded. Others wait for the next run, a minute later. */
const maxTradesPerRun = 500
/** The number of rings that a transaction checks. */
const ringsPerBatch = 500

export function registerTradeJobs(deps: Needs) {
  const { db, jobs, realtime } = deps

  jobs.handle(publishTrade, async ({ trade_id }) => {
    for (const member of await listParties(db, trade_id)) {
      const [trade] = await tradesByIds(db, member, [trade_id])
      if (trade) realtime.publish([member], 'trade_changed', trade)
    }
  })
  jobs.handle(endRequestsJob, (listing) => endRequests(deps, listing))
  jobs.handle(findRingsJob, (match) => findRings(deps, match))
  jobs.repeat(cleanUpRings, '23 3 * * *', () => cleanUp({ db, jobs }))
  jobs.handle(checkRings, ({ after }) => inTransaction(db, (tx) => deleteSomeInvalid({ jobs }, tx, after)))
  jobs.repeat(advanceTrades, '* * * * *', () => lapseAndRemind(deps))
}

/** Deletes old rings, and those that are not valid any more. They are found again when they become valid. */
async function cleanUp({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await deleteOldRings(db, new Date(Date.now() - ringDays * 24 * 60 * 60 * 1000).toISOString())
  await inTransaction(db, (tx) => deleteSomeInvalid({ jobs }, tx, 0))
}

/** Checks the next rings after an id. The next batch is another job. */
async function deleteSomeInvalid({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, after: number): Promise<void> {
  const checked = await deleteInvalidRings(tx, after, ringsPerBatch)
  const last = checked.at(-1)
  if (last && checked.length === ringsPerBatch) await jobs.add(tx, checkRings, { after: last.id })
}

/** Lapses trades, and reminds members of trades and pickups. A trade that fails delays no other. */
function lapseAndRemind(deps: Needs): Promise<void> {
  const { db } = deps
  const lapse = async () =>
    runEach(await listDue(db, 'expires_at', maxTradesPerRun), (id) => lapseTrade(deps, id))
  const remind = async (column: ReminderColumn) =>
    runEach(await listDue(db, column, maxTradesPerRun), (id) => remindParties(deps, id, column))
  return runEach([lapse, () => remind('remind_at'), () => remind('pickup_remind_at')], (task) => task())
}

/** Notifies the parties of a trade once that it, or its pickup, is due soon. */
async function remindParties(deps: Needs, trade_id: number, column: ReminderColumn): Promise<void> {
  const kind = column === 'remind_at' ? 'trade_reminder' : 'pickup_reminder'
  await inTransaction(deps.db, async (tx) => {
    if (!(await takeReminder(tx, trade_id, column))) return
    const parties = await listParties(tx, trade_id)
    const steps = parties.map((user_id) => ({ user_id, from_id: user_id, kind, trade_id }) as const)
    await notifyAll(deps, tx, trade_id, steps)
  })
}
