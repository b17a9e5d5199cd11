import ical, { ICalAlarmType, ICalCalendarMethod } from 'ical-generator'
import { limits, pickupReminderMinutes, tradeDays } from '#contract/constants.ts'
import { type PickupChange, type Trade, tradeMessages } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { languageOf } from '#server/features/members/language.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Translator } from '#server/platform/i18n/translator.ts'
import type { Tx } from '#server/tables.ts'
import { notifyAll } from './notifications.ts'
import { findTrade, updatePickup, updatePlace } from './queries.ts'
import { conflict, dayMs, type LockedTrade, lockForStep, type Needs } from './trades.ts'
import { isAgreed, partiesOf, tradeOf } from './views.ts'

const minuteMs = 60_000

/**
 * Proposes a pickup, which replaces an earlier proposal, or accepts the current one. Throws `not_found`, `invalid`, `forbidden` for
 * the caller's own proposal, and `trade_conflict` unless the trade is accepted.
 */
export async function arrangePickup(
  { db, ...deps }: Needs,
  caller: number,
  id: number,
  { starts_at, ends_at, accept }: PickupChange,
): Promise<Trade> {
  await inTransaction(db, async (tx) => {
    const locked = (await findTrade(tx, id, caller)) && (await lockForStep(tx, id))
    if (!locked) throw new AppError('not_found', tradeMessages.notFound)
    if (locked.trade.state !== 'accepted') throw conflict()
    const span = starts_at !== undefined && ends_at !== undefined ? spanOf(starts_at, ends_at) : undefined
    const kind =
      span && !accept
        ? await proposePickup(tx, caller, locked, span)
        : await acceptPickup(tx, caller, locked, span)
    if (!kind) return
    const others = partiesOf(locked.legs).filter((member) => member !== caller)
    const steps = others.map((user_id) => ({ user_id, from_id: caller, kind, trade_id: id }))
    await notifyAll(deps, tx, id, steps)
  })
  return tradeOf(db, caller, id)
}

/**
 * Sets where the caller hands over what they give; an empty place deletes it. Throws `not_found`, `forbidden` for a member who gives
 * nothing, and `trade_conflict` unless the trade is accepted.
 */
export async function setPlace(
  { db, ...deps }: Needs,
  caller: number,
  id: number,
  place: string,
): Promise<Trade> {
  await inTransaction(db, async (tx) => {
    const locked = (await findTrade(tx, id, caller)) && (await lockForStep(tx, id))
    if (!locked) throw new AppError('not_found', tradeMessages.notFound)
    if (!locked.legs.some(({ giver_id }) => giver_id === caller))
      throw new AppError('forbidden', tradeMessages.notAllowed)
    if (locked.trade.state !== 'accepted') throw conflict()
    await updatePlace(tx, id, caller, place || null)
    await notifyAll(deps, tx, id, [])
  })
  return tradeOf(db, caller, id)
}

type Span = Readonly<Record<'pickup_starts_at' | 'pickup_ends_at', string>>

function spanOf(startsAt: string, endsAt: string): Span {
  return {
    pickup_starts_at: new Date(startsAt).toISOString(),
    pickup_ends_at: new Date(endsAt).toISOString(),
  }
}

function isSpanOf({ pickup_starts_at, pickup_ends_at }: LockedTrade['trade'], span: Span): boolean {
  return pickup_starts_at === span.pickup_starts_at && pickup_ends_at === span.pickup_ends_at
}

/** Returns nothing if the caller proposed the same before. */
async function proposePickup(
  tx: Tx,
  caller: number,
  { trade }: LockedTrade,
  span: Span,
): Promise<'pickup_proposed' | undefined> {
  requireSoon(span.pickup_starts_at)
  if (trade.pickup_proposed_by === caller && isSpanOf(trade, span)) return undefined
  await updatePickup(tx, trade.id, {
    ...span,
    pickup_proposed_by: caller,
    pickup_accepted_by: [],
    pickup_remind_at: null,
  })
  return 'pickup_proposed'
}

/** Returns nothing if the caller accepted it before. Throws `trade_conflict` if it is not the pickup that the caller saw. */
async function acceptPickup(
  tx: Tx,
  caller: number,
  { trade, legs }: LockedTrade,
  seen: Span | undefined,
): Promise<'pickup_accepted' | undefined> {
  const { id, expires_at, pickup_starts_at, pickup_ends_at, pickup_proposed_by, pickup_accepted_by } = trade
  if (pickup_starts_at === null || pickup_ends_at === null) throw conflict()
  if (seen && !isSpanOf(trade, seen)) throw conflict()
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

/** Returns the accepted pickup of a trade that has not ended without a handover as an iCalendar file. Throws `not_found`. */
export async function pickupCalendar(
  { db, publicUrl, translatorFor }: Pick<Deps, 'db' | 'publicUrl' | 'translatorFor'>,
  caller: number,
  id: number,
): Promise<Buffer> {
  const { pickup, legs, state, updated_at } = await tradeOf(db, caller, id)
  if (!pickup?.accepted || (state !== 'accepted' && state !== 'done'))
    throw new AppError('not_found', tradeMessages.notFound)
  const t = translatorFor(await languageOf(db, caller))
  const titles = t.list(legs.flatMap(({ listing }) => listing.title ?? []))
  const others = legs
    .flatMap(({ giver, taker }) => [giver, taker])
    .flatMap((member) => (member && member.id !== caller ? member.username : []))
  const names = t.list([...new Set(others)])
  const calendar = ical({
    prodId: `//Rhubarb//Pickups//${t.language.toUpperCase()}`,
    method: ICalCalendarMethod.PUBLISH,
  })
  const event = calendar.createEvent({
    id: `trade-${id}@${new URL(publicUrl).hostname}`,
    start: pickup.starts_at,
    end: pickup.ends_at,
    stamp: updated_at,
    summary: summaryOf({ names, titles }, t),
    location: t.list(legs.flatMap(({ pickup_place }) => pickup_place ?? [])) || null,
    url: `${publicUrl}/trades/${id}`,
  })
  event.createAlarm({ type: ICalAlarmType.display, trigger: pickupReminderMinutes * 60 })
  return Buffer.from(calendar.toString())
}

/** Returns what the pickup is about. `names` is empty if the others have left, `titles` if the listings are hidden. */
function summaryOf({ names, titles }: { names: string; titles: string }, t: Translator): string {
  if (names === '') return titles === '' ? t('Pickup') : t('Pickup: {titles}', { titles })
  return titles === ''
    ? t('Pickup with {names}', { names })
    : t('Pickup with {names}: {titles}', { names, titles })
}
