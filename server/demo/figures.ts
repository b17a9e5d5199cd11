import type { Insertable } from 'kysely'
import { type FigureKind, figureDays } from '#contract/figures.ts'
import type { Tables } from '#server/tables.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The last days are counted from the demo data itself. */
const countedDays = 8

/** The means of a day at the end of the season. */
const means = {
  registrations: 1.2,
  registrations_confirmed: 1,
  active_members: 16,
  listings_produce: 3.4,
  listings_seeds: 1.1,
  listings_plants: 1.6,
  listings_uncategorized: 0.5,
  matches: 7,
  trades_begun: 2.6,
  trades_done: 1.6,
  trades_declined: 0.3,
  trades_withdrawn: 0.2,
  trades_lapsed: 0.3,
  first_contacts: 2.2,
  messages: 21,
  reports_opened: 0.3,
  reports_closed: 0.3,
  reports_open: 0.8,
  mails_sent: 18,
  mails_failed: 0.2,
  mails_refused: 0.1,
} satisfies Partial<Record<FigureKind, number>>

/** Returns counts for the days of the charts before the last ones: a site that grows, with busier weekends. The same at each call of a day. */
export function figureRows(now: number): Insertable<Tables['daily_figures']>[] {
  return Array.from({ length: figureDays - countedDays }, (_, index) => index).flatMap((index) => {
    const date = new Date(now - (figureDays - 1 - index) * dayMs)
    const growth = 0.4 + (0.6 * index) / figureDays
    const weekend = date.getUTCDay() % 6 === 0 ? 1.5 : 0.85
    const counts = new Map<FigureKind, number>()
    for (const [place, [kind, mean]] of Object.entries(means).entries())
      counts.set(
        kind as FigureKind,
        Math.floor(mean * growth * weekend * (0.5 + noise(index, place)) + noise(place, index)),
      )
    // A part is no more than its whole, and nothing takes time on a day without it.
    for (const [part, whole] of [
      ['registrations_confirmed', 'registrations'],
      ['first_contacts', 'messages'],
    ] as const)
      counts.set(part, Math.min(counts.get(part) ?? 0, counts.get(whole) ?? 0))
    for (const [hours, events, each] of [
      ['handover_hours', 'trades_done', 55],
      ['resolution_hours', 'reports_closed', 9],
    ] as const)
      counts.set(hours, Math.round((counts.get(events) ?? 0) * each * (0.6 + 0.8 * noise(index, each))))
    return [...counts].map(([kind, count]) => ({ day: date.toISOString().slice(0, 10), kind, count }))
  })
}

/** Returns a number from 0 to 1 that looks random and is the same for the same arguments. */
function noise(a: number, b: number): number {
  const wave = Math.sin(a * 12.9898 + b * 78.233) * 43_758.5453
  return wave - Math.floor(wave)
}
