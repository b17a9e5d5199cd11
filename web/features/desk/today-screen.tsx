import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useHydrated } from '@tanstack/react-router'
import { useCallback, useId, useMemo, useRef, useState } from 'react'
import type { Figures } from '#contract/figures.ts'
import { formatNumber, labelFor, perLocale } from '#web/i18n/formats.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Cluster, Grid, Stack } from '#web/ui/layout.tsx'
import { lazyExport } from '#web/ui/lazy-export.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { dayOfDate } from '#web/ui/time.tsx'
import { DeskPage } from './desk-page.tsx'
import { figuresQuery } from './desk-queries.ts'
import {
  type CountsOf,
  daysSince,
  type FigureChart,
  figureCharts,
  numberOf,
  weekSums,
} from './figure-charts.ts'
import css from './figures.module.css'

const emptyCanvas = <div className={css.canvas} />
const Chart = lazyExport(() => import('./chart.tsx'), 'Chart', emptyCanvas)

/** The dashes of the lines of a chart, in their order. */
const dashes = [[], [8, 4], [2, 3], [12, 4, 2, 4]]
const lineClasses = [css.line1, css.line2, css.line3, css.line4]

/** Charts of what happened on the site in the last days. */
export function TodayScreen() {
  const figures = useQuery(figuresQuery)
  const charts = useMemo(figureCharts, [])
  return (
    <DeskPage>
      <p className={classNames(layout.above5, text.muted)}>
        {t`Counts of the whole site by day in UTC, counted every ten minutes. They name nobody.`}
      </p>
      {figures.isPending && <RowsSkeleton />}
      {figures.isError && figures.data === undefined && (
        <ErrorState text={t`Failed to load data`} onRetry={() => void figures.refetch()} />
      )}
      {figures.data && (
        <Grid as="ul" columns="18rem" gap="6" className={classNames(layout.above5, css.charts)}>
          {charts.map((chart) => (
            <li key={chart.title}>
              <ChartOf chart={chart} figures={figures.data} />
            </li>
          ))}
        </Grid>
      )}
    </DeskPage>
  )
}

interface DrawnLine {
  readonly label: string
  readonly number: string
  /** One for each day: those of the table, and those that the chart draws. */
  readonly counts: readonly (number | null)[]
  readonly values: readonly (number | null)[]
  readonly dash: readonly number[]
}

function ChartOf({ chart, figures }: { chart: FigureChart; figures: Figures }) {
  const titleId = useId()
  const isHydrated = useHydrated()
  const legend = useRef<HTMLUListElement>(null)
  const { days, lines } = useMemo(() => drawn(chart, figures), [chart, figures])
  const colors = useCallback(
    () => [...(legend.current?.querySelectorAll('svg') ?? [])].map((svg) => getComputedStyle(svg).color),
    [],
  )
  return (
    <Stack as="section" gap="2" aria-labelledby={titleId}>
      <h2 id={titleId} className={text.subheading}>
        {chart.title}
      </h2>
      <Cluster as="ul" gap="3" className={css.legend} ref={legend}>
        {lines.map(({ label, number, dash }, index) => (
          <li key={label}>
            <svg width="28" height="8" className={lineClasses[index]} aria-hidden="true">
              <line
                x1="0"
                x2="28"
                y1="4"
                y2="4"
                stroke="currentColor"
                strokeWidth="2"
                strokeDasharray={dash.join(' ')}
              />
            </svg>
            <span>
              {label}: <b>{number}</b>
            </span>
          </li>
        ))}
      </Cluster>
      <p className={classNames(text.caption, text.muted)}>{numberTexts(days.length)[chart.number]}</p>
      <div aria-hidden="true">
        {isHydrated ? <Chart days={days} lines={lines} colors={colors} /> : emptyCanvas}
      </div>
      <Numbers title={chart.title} days={days} lines={lines} />
    </Stack>
  )
}

function drawn(
  { lines, number }: FigureChart,
  { from, figures }: Figures,
): { days: string[]; lines: DrawnLine[] } {
  const byKind = new Map(figures.map(({ kind, counts }) => [kind, counts]))
  const countsOf: CountsOf = (kind) => byKind.get(kind) ?? []
  return {
    days: daysSince(from, figures[0]?.counts.length ?? 0),
    lines: lines.map(({ label, values, shareOf }, index) => {
      const counts = values(countsOf)
      const total = numberOf(number, counts)
      const whole = shareOf && numberOf(number, countsOf(shareOf))
      return {
        label,
        number:
          whole && total !== null
            ? t`${{ count: shown(total) }} (${{ share: formatShare(total / whole) }})`
            : shown(total),
        counts,
        values: number === 'sum' ? weekSums(counts) : counts,
        dash: dashes[index] ?? [],
      }
    }),
  }
}

const numberTexts = (days: number) => ({
  sum: plural(
    { days },
    {
      one: 'The numbers are those of # day; the lines, sums of the last 7 at each day.',
      other: 'The numbers are sums of # days; the lines, of the last 7 at each day.',
    },
  ),
  mean: t`The numbers are means of a day.`,
  last: t`The numbers are those of today.`,
})

/** The numbers of the chart as a table, newest first, for those who do not see the canvas. */
function Numbers({
  title,
  days,
  lines,
}: {
  title: string
  days: readonly string[]
  lines: readonly DrawnLine[]
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t`Numbers by day`}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
        <section className={css.scroller} tabIndex={0} aria-label={labelFor(t`Numbers by day`, title)}>
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t`Day`}</th>
                {lines.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days
                .map((day, index) => (
                  <tr key={day}>
                    <th scope="row">{dayOfDate(day)}</th>
                    {lines.map(({ label, counts }) => (
                      <td key={label}>{shown(counts[index] ?? null)}</td>
                    ))}
                  </tr>
                ))
                .toReversed()}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

const shares = perLocale((tag) => new Intl.NumberFormat(tag, { style: 'percent' }))

function formatShare(share: number): string {
  return shares().format(share)
}

function shown(count: number | null): string {
  return count === null ? '–' : formatNumber(count)
}
