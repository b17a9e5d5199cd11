import ical, { ICalAlarmType, ICalCalendarMethod } from 'ical-generator'
import { limits, pickupReminderMinutes, tradeDays } from '#contract/constants.ts'
import { type PickupChange, type Trade, tradeMessages } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { retryDeadlock } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import { findTrade, updatePickup } from './queries.ts'
import { notifyAll } from './step-notifications.ts'
import { conflict, dayMs, type Locked, lockForStep, type Tx } from './trades.ts'
import { isAgreed, partiesOf, tradeOf } from './views.ts'

const minuteMs = 60_000

/**
 * Proposes a pickup, which replaces an earlier proposal, or accepts the current one. Throws `not_found`, `invalid`, `forbidden` for
 * the caller's own proposal, and `trade_conflict` unless the trade is accepted.
 */
export async function arrangePickup(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: number,
  id: number,
  { starts_at, ends_at }: PickupChange,
): Promise<Trade> {
  await retryDeadlock(db, async (tx) => {
    const locked = (await findTrade(tx, id, caller)) && (await lockForStep(tx, id))
    if (!locked) throw new AppError('not_found', tradeMessages.notFound)
    if (locked.trade.state !== 'accepted') throw conflict()
    const kind =
      starts_at !== undefined && ends_at !== undefined
        ? await proposePickup(tx, caller, locked, starts_at, ends_at)
        : await acceptPickup(tx, caller, locked)
    if (!kind) return
    const others = partiesOf(locked.legs).filter((member) => member !== caller)
    const steps = others.map((user_id) => ({ user_id, from_id: caller, kind, trade_id: id }))
    await notifyAll({ jobs }, tx, id, steps)
  })
  return tradeOf(db, caller, id)
}

/** Returns nothing if the caller proposed the same before. */
async function proposePickup(
  tx: Tx,
  caller: number,
  { trade }: Locked,
  startsAt: string,
  endsAt: string,
): Promise<'pickup_proposed' | undefined> {
  requireSoon(startsAt)
  const proposal = {
    pickup_starts_at: new Date(startsAt).toISOString(),
    pickup_ends_at: new Date(endsAt).toISOString(),
  }
  const isSame =
    trade.pickup_proposed_by === caller &&
    trade.pickup_starts_at === proposal.pickup_starts_at &&
    trade.pickup_ends_at === proposal.pickup_ends_at
  if (isSame) return undefined
  await updatePickup(tx, trade.id, {
    ...proposal,
    pickup_proposed_by: caller,
    pickup_accepted_by: [],
    pickup_remind_at: null,
  })
  return 'pickup_proposed'
}

/** Returns nothing if the caller accepted it before. */
async function acceptPickup(
  tx: Tx,
  caller: number,
  { trade, legs }: Locked,
): Promise<'pickup_accepted' | undefined> {
  const { id, expires_at, pickup_starts_at, pickup_ends_at, pickup_proposed_by, pickup_accepted_by } = trade
  if (pickup_starts_at === null || pickup_ends_at === null) throw conflict()
  if (pickup_proposed_by === caller) throw new AppError('forbidden', tradeMessages.notAllowed)
  if (pickup_accepted_by.includes(caller)) return undefined
  if (Date.parse(pickup_ends_at) < Date.now()) throw conflict(tradeMessages.pickupPast)
  const accepted = [...pickup_accepted_by, caller]
  const isComplete = isAgreed({ pickup_proposed_by, pickup_accepted_by: accepted }, legs)
  const remindAt = Date.parse(pickup_starts_at) - pickupReminderMinutes * minuteMs
  await updatePickup(tx, id, {
    pickup_accepted_by: accepted,
    // A pickup that begins within the hour needs no reminder.
    pickup_remind_at: isComplete && remindAt > Date.now() ? new Date(remindAt).toISOString() : null,
    ...extendPast(pickup_ends_at, expires_at),
  })
  return 'pickup_accepted'
}

function requireSoon(startsAt: string): void {
  const start = Date.parse(startsAt)
  if (start < Date.now()) throw invalid('starts_at', tradeMessages.pickupPast)
  if (start > Date.now() + limits.trade.pickupDays * dayMs)
    throw invalid('starts_at', tradeMessages.pickupTooLate)
}

/** Extends a promise that would lapse before its pickup. */
function extendPast(endsAt: string, expiresAt: string | null) {
  const { remind } = tradeDays.promise
  const expires = Date.parse(endsAt) + (remind + 1) * dayMs
  if (expiresAt !== null && Date.parse(expiresAt) >= expires) return {}
  return {
    expires_at: new Date(expires).toISOString(),
    remind_at: new Date(expires - remind * dayMs).toISOString(),
  }
}

/** Returns the accepted pickup of a trade as an iCalendar file. Throws `not_found`. */
export async function pickupCalendar(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  caller: number,
  id: number,
): Promise<Buffer> {
  const { pickup, legs, updated_at } = await tradeOf(db, caller, id)
  if (!pickup?.accepted) throw new AppError('not_found', tradeMessages.notFound)
  const titles = legs.map(({ listing }) => listing.title).join(', ')
  const others = legs
    .flatMap(({ giver, taker }) => [giver, taker])
    .flatMap((member) => (member && member.id !== caller ? member.username : []))
  const names = [...new Set(others)].join(', ')
  const calendar = ical({ prodId: '//Rhubarb//Pickups//EN', method: ICalCalendarMethod.PUBLISH })
  const event = calendar.createEvent({
    id: `trade-${id}@${new URL(publicUrl).hostname}`,
    start: pickup.starts_at,
    end: pickup.ends_at,
    stamp: updated_at,
    summary: names === '' ? `Pickup: ${titles}` : `Pickup with ${names}: ${titles}`,
    url: `${publicUrl}/trades/${id}`,
  })
  event.createAlarm({ type: ICalAlarmType.display, trigger: pickupReminderMinutes * 60 })
  return Buffer.from(calendar.toString())
}
