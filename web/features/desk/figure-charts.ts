import { t } from '@lingui/core/macro'
import type { FigureKind } from '#contract/figures.ts'
import { categoryLabel, groupNames } from '#web/features/listings/categories.ts'

type Counts = readonly (number | null)[]

/** Returns the counts of a kind by day. */
export type CountsOf = (kind: FigureKind) => Counts

interface Line {
  readonly label: string
  readonly values: (countsOf: CountsOf) => Counts
  /** The kind of which these are a part. */
  readonly shareOf?: FigureKind
}

export interface FigureChart {
  readonly title: string
  /** The number beside each name: of all days, the mean of a day, or of the last day. */
  readonly number: 'sum' | 'mean' | 'last'
  readonly lines: readonly Line[]
}

const line = (kind: FigureKind, label: string): Line => ({
  label,
  values: (countsOf) => countsOf(kind),
})

/** A line of means: a sum of hours in days for each of the events. Null on days without an event. */
const meanDays = (hours: FigureKind, events: FigureKind, label: string): Line => ({
  label,
  values: (countsOf) => meansOf(countsOf(hours), countsOf(events), 24),
})

function meansOf(sums: Counts, events: Counts, unit: number): Counts {
  return sums.map((sum, index) => {
    const count = events[index] ?? 0
    return sum === null || count === 0 ? null : Math.round((sum / count / unit) * 10) / 10
  })
}

/** Returns the charts with their texts in the language of the page. */
export const figureCharts = (): readonly FigureChart[] => [
  {
    title: t`Registrations`,
    number: 'sum',
    lines: [
      line('registrations', t`registered`),
      {
        ...line('registrations_confirmed', t`of these with a confirmed address`),
        shareOf: 'registrations',
      },
    ],
  },
  {
    title: t`Active members`,
    number: 'mean',
    lines: [line('active_members', t`logged in, wrote or posted`)],
  },
  {
    title: t`New listings`,
    number: 'sum',
    lines: groupNames.map((name) => line(`listings_${name}`, categoryLabel(name))),
  },
  { title: t`New matches`, number: 'sum', lines: [line('matches', t`matches of wants with listings`)] },
  {
    title: t`Trades`,
    number: 'sum',
    lines: [line('trades_begun', t`begun`), line('trades_done', t`handed over`)],
  },
  {
    title: t`Trades that ended without a handover`,
    number: 'sum',
    lines: [
      line('trades_declined', t`declined`),
      line('trades_withdrawn', t`withdrawn`),
      line('trades_lapsed', t`lapsed`),
    ],
  },
  {
    title: t`Days to the handover`,
    number: 'mean',
    lines: [meanDays('handover_hours', 'trades_done', t`mean of the trades of a day`)],
  },
  {
    title: t`Messages`,
    number: 'sum',
    lines: [line('first_contacts', t`first contacts`), line('messages', t`all messages`)],
  },
  {
    title: t`Open reports`,
    number: 'last',
    lines: [line('reports_open', t`open at the end of the day`)],
  },
  {
    title: t`Reports`,
    number: 'sum',
    lines: [line('reports_opened', t`opened`), line('reports_closed', t`closed`)],
  },
  {
    title: t`Hours until a report is closed`,
    number: 'mean',
    lines: [
      {
        label: t`mean of the reports of a day`,
        values: (countsOf) => meansOf(countsOf('resolution_hours'), countsOf('reports_closed'), 1),
      },
    ],
  },
  {
    title: t`Mails`,
    number: 'sum',
    lines: [
      line('mails_sent', t`sent`),
      line('mails_failed', t`failed attempts`),
      line('mails_refused', t`refused by the mailbox`),
    ],
  },
]

/** Returns the number beside the name of a line, or null without counts. */
export function numberOf(kind: FigureChart['number'], values: Counts): number | null {
  const counted = values.filter((value) => value !== null)
  const last = counted.at(-1)
  if (last === undefined) return null
  if (kind === 'last') return last
  const sum = counted.reduce((total, value) => total + value, 0)
  return kind === 'sum' ? sum : Math.round((sum / counted.length) * 10) / 10
}

/** Returns for each day the sum of the seven days up to it, because a few events a day are a jagged line. */
export function weekSums(counts: Counts): Counts {
  return counts.map((count, index) => {
    const week = counts.slice(Math.max(0, index - 6), index + 1)
    return count === null || index < 6 ? null : week.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  })
}

/** Returns the dates since the first one. */
export function daysSince(from: string, count: number): string[] {
  const start = Date.parse(from)
  return Array.from({ length: count }, (_, index) =>
    new Date(start + index * 24 * 60 * 60_000).toISOString().slice(0, 10),
  )
}
