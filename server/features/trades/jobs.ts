import type { Notification } from '#contract/notifications.ts'
import type { TradeState } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { confirmedAddressee } from '#server/features/auth/addressee.ts'
import { oneClickStop } from '#server/features/members/stop-mails.ts'
import { notificationsByIds } from '#server/features/notifications/notifications.ts'
import { pushTo } from '#server/features/push/push.ts'
import { quietSecondsLeft } from '#server/features/push/quiet-hours.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { runEach } from '#server/platform/jobs.ts'
import type { Db, Tx } from '#server/tables.ts'
import { endRequests } from './endings.ts'
import {
  advanceTrades,
  checkRings,
  cleanUpRings,
  endRequestsJob,
  findRingsJob,
  publishTrade,
  sendTradeMail,
  sendTradePush,
} from './job-kinds.ts'
import { findReader, listDue, type ReminderColumn, takeReminder } from './job-queries.ts'
import { tradeStep } from './mails/trade-step.ts'
import { listParties } from './queries.ts'
import { findRings } from './rings.ts'
import { deleteInvalidRings, deleteOldRings } from './rings-queries.ts'
import { notifyAll } from './step-notifications.ts'
import { type StepText, stepText } from './step-texts.ts'
import { lapseTrade } from './trades.ts'
import { tradesByIds } from './views.ts'

type Needs = Pick<Deps, 'db' | 'events' | 'jobs' | 'mailer' | 'pusher' | 'realtime'>

/** The days until the suggestion of a ring is deleted. */
const ringDays = 30
/** The trades that lapse in a run, and those that are reminded. Others wait for the next run, a minute later. */
const maxTradesPerRun = 500
/** The number of rings that a transaction checks. */
const ringsPerBatch = 500

export function registerTradeJobs(deps: Needs) {
  const { db, events, jobs, mailer, realtime } = deps

  jobs.handle(publishTrade, async ({ trade_id, notifications }) => {
    for (const member of await listParties(db, trade_id)) {
      const [trade] = await tradesByIds(db, member, [trade_id])
      if (trade) realtime.publish([member], 'trade_changed', trade)
    }
    for (const { user_id, notification } of await notificationsByIds(db, notifications))
      realtime.publish([user_id], 'notification', notification)
  })

  jobs.handle(sendTradeMail, async (data, job) => {
    const step = await unreadStep(db, data)
    if (!step?.reader.mail_trades) return
    const member = await confirmedAddressee(db, sendTradeMail, data)
    if (!member) return
    const oneClick = await oneClickStop(db, data.user_id, 'mail_trades')
    await mailer.send(tradeStep(member, step.text, oneClick), job)
  })

  jobs.handle(sendTradePush, async (data) => {
    const step = await unreadStep(db, data)
    if (!step) return
    const seconds = step.kind === 'pickup_reminder' ? 0 : quietSecondsLeft(step.reader.time_zone ?? 'UTC')
    if (seconds > 0) return inTransaction(db, (tx) => jobs.add(tx, sendTradePush, data, seconds))
    const { title, body, path } = step.text
    await pushTo(deps, data.user_id, { category: 'trade', title, body, path, tag: `trade-${step.trade_id}` })
  })

  jobs.handle(endRequestsJob, (listing) => endRequests({ db, events, jobs }, listing))
  jobs.handle(findRingsJob, (match) => findRings({ db, realtime }, match))
  jobs.repeat(cleanUpRings, '23 3 * * *', () => cleanUp({ db, jobs }))
  jobs.handle(checkRings, ({ after }) => inTransaction(db, (tx) => deleteSomeInvalid({ jobs }, tx, after)))
  jobs.repeat(advanceTrades, '* * * * *', () => lapseAndRemind({ db, events, jobs }))
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

/** Returns the text of an unread notification; undefined if it was read, has no text or is outdated. */
async function unreadStep(
  db: Db,
  { user_id, notification_id }: { user_id: number; notification_id: number },
): Promise<
  | {
      kind: Notification['kind']
      text: StepText
      trade_id: number
      reader: NonNullable<Awaited<ReturnType<typeof findReader>>>
    }
  | undefined
> {
  const [stored] = await notificationsByIds(db, [{ user_id, id: notification_id }])
  if (!stored || stored.notification.read_at !== null || isOutdated(stored.notification)) return undefined
  const { kind, trade, user } = stored.notification
  const reader = await findReader(db, user_id, user.id)
  if (!trade || !reader) return undefined
  const text = stepText(stored.notification, { id: user_id, timeZone: reader.time_zone ?? 'UTC' })
  return text && { kind, text, trade_id: trade.id, reader }
}

/** The states of a trade in which a step is mailed and pushed. Others are in every state. */
const statesOfSteps: Partial<Record<Notification['kind'], readonly TradeState[]>> = {
  trade_requested: ['requested'],
  trade_in_line: ['requested'],
  trade_next: ['requested'],
  trade_reminder: ['requested', 'accepted'],
  trade_accepted: ['accepted'],
  pickup_proposed: ['accepted'],
  pickup_accepted: ['accepted'],
  pickup_reminder: ['accepted'],
}

/** Returns whether the trade has moved on since a step. Mails and pushes can be hours late: at night, in an outage, for an unconfirmed address. */
function isOutdated({ kind, trade }: Notification): boolean {
  if (!trade || statesOfSteps[kind]?.includes(trade.state) === false) return true
  return kind === 'pickup_reminder' && Date.parse(trade.pickup_starts_at ?? '') <= Date.now()
}

/** Lapses trades, and reminds members of trades and pickups. A trade that fails delays no other. */
function lapseAndRemind({ db, events, jobs }: Pick<Deps, 'db' | 'events' | 'jobs'>): Promise<void> {
  const lapse = async () =>
    runEach(await listDue(db, 'expires_at', maxTradesPerRun), (id) => lapseTrade({ db, events, jobs }, id))
  const remind = async (column: ReminderColumn) =>
    runEach(await listDue(db, column, maxTradesPerRun), (id) => remindParties({ db, jobs }, id, column))
  return runEach([lapse, () => remind('remind_at'), () => remind('pickup_remind_at')], (task) => task())
}

/** Notifies the parties of a trade once that it, or its pickup, is due soon. */
async function remindParties(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  trade_id: number,
  column: ReminderColumn,
): Promise<void> {
  const kind = column === 'remind_at' ? 'trade_reminder' : 'pickup_reminder'
  await inTransaction(db, async (tx) => {
    if (!(await takeReminder(tx, trade_id, column))) return
    const parties = await listParties(tx, trade_id)
    const steps = parties.map((user_id) => ({ user_id, from_id: user_id, kind, trade_id }) as const)
    await notifyAll({ jobs }, tx, trade_id, steps)
  })
}
