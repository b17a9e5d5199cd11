import { confirmationDays } from '#contract/constants.ts'
import { type FigureKind, type Figures, figureDays, figureKinds } from '#contract/figures.ts'
import type { MailOutcome } from '#server/platform/mail.ts'
import type { Db } from '#server/tables.ts'
import {
  type Counts,
  countActiveMembers,
  countListings,
  countMatches,
  countMessages,
  countRegistrations,
  countReports,
  countTrades,
  incrementFigure,
  listCountedDays,
  listFigures,
  upsertFigures,
} from './queries.ts'

const dayMs = 24 * 60 * 60 * 1000

interface Source {
  /** Whose absence says that a day was not counted. */
  readonly kind: FigureKind
  /** The last days that still change: a confirmation may come as late as its link is valid. */
  readonly recounted: number
  readonly count: (db: Db, from: string, until: string) => Promise<Counts>
}

const sources: readonly Source[] = [
  { kind: 'registrations', recounted: confirmationDays + 1, count: countRegistrations },
  { kind: 'active_members', recounted: 2, count: countActiveMembers },
  { kind: 'listings_produce', recounted: 2, count: countListings },
  { kind: 'matches', recounted: 2, count: countMatches },
  { kind: 'trades_begun', recounted: 2, count: countTrades },
  { kind: 'messages', recounted: 2, count: countMessages },
  { kind: 'reports_open', recounted: 2, count: countReports },
]

/** Counts the last days, and those of the charts that were not counted yet, newest first: a retry continues. */
export async function countDays(db: Db): Promise<void> {
  const counted = new Map<FigureKind, Set<string>>()
  for (const { day, kind } of await listCountedDays(db, firstDay()))
    counted.set(kind, (counted.get(kind) ?? new Set()).add(day))
  for (let age = 0; age < figureDays; age += 1)
    for (const { kind, recounted, count } of sources) {
      const day = dayBefore(age)
      if (age >= recounted && counted.get(kind)?.has(day)) continue
      await upsertFigures(db, day, await count(db, day, dayBefore(age - 1)))
    }
}

/** Counts an attempt to send a mail today. A deferred one has failed too. */
export function countMail(db: Db, outcome: MailOutcome): Promise<void> {
  return incrementFigure(db, dayBefore(0), outcome === 'deferred' ? 'mails_failed' : `mails_${outcome}`)
}

/** Returns the counts of the last days. */
export async function figuresOf(db: Db): Promise<Figures> {
  const from = firstDay()
  const days = Array.from({ length: figureDays }, (_, index) => dayBefore(figureDays - 1 - index))
  const stored = new Map(
    (await listFigures(db, from)).map(({ day, kind, count }) => [`${day} ${kind}`, count]),
  )
  const figures = figureKinds.map((kind) => ({
    kind,
    counts: days.map((day) => stored.get(`${day} ${kind}`) ?? null),
  }))
  return { from, figures }
}

function firstDay(): string {
  return dayBefore(figureDays - 1)
}

/** Returns the date in UTC some days before today. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
}
