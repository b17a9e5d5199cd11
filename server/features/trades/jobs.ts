import { limits } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/jobs.ts'
import { endRequests } from './endings.ts'
import { advanceTrades, deletePlaces, endRequestsJob, publishTrade } from './job-kinds.ts'
import { listDue, listUnconfirmed, type ReminderColumn, takeReminder } from './job-queries.ts'
import { notifyAll } from './notifications.ts'
import { deleteOldPlaces, listParties } from './queries.ts'
import { confirmHandOvers, lapseTrade } from './trades.ts'
import { tradesByIds } from './views.ts'

type Needs = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime'>

/** The trades that lapse in a run, and those that are reminded. Others wait for the next run, a minute later. */
const maxTradesPerRun = 500

export function registerTradeJobs(deps: Needs) {
  const { db, jobs, realtime } = deps

  jobs.handle(publishTrade, async ({ trade_id }) => {
    for (const member of await listParties(db, trade_id)) {
      const [trade] = await tradesByIds(db, member, [trade_id])
      if (trade) realtime.publish([member], 'trade_changed', trade)
    }
  })
  jobs.handle(endRequestsJob, (listing) => endRequests(deps, listing))
  jobs.repeat(deletePlaces, '17 3 * * *', () => deleteOldPlaces(db, limits.trade.placeDays))
  jobs.repeat(advanceTrades, '* * * * *', () => lapseAndRemind(deps))
}

/** Confirms handovers, lapses trades, and reminds members of trades and pickups. A trade that fails delays no other. */
function lapseAndRemind(deps: Needs): Promise<void> {
  const { db } = deps
  const confirm = async () =>
    runEach(await listUnconfirmed(db, maxTradesPerRun), (id) => confirmHandOvers(deps, id))
  const lapse = async () =>
    runEach(await listDue(db, 'expires_at', maxTradesPerRun), (id) => lapseTrade(deps, id))
  const remind = async (column: ReminderColumn) =>
    runEach(await listDue(db, column, maxTradesPerRun), (id) => remindParties(deps, id, column))
  return runEach([confirm, lapse, () => remind('remind_at'), () => remind('pickup_remind_at')], (task) =>
    task(),
  )
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
