import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { formatNumber } from '#web/i18n/formats.ts'
import { useTheme } from '#web/ui/theme.ts'
import { dayOfDate } from '#web/ui/time.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import css from './figures.module.css'

export interface ChartLine {
  /** One for each day. */
  readonly values: readonly (number | null)[]
  /** The dashes of the line, so that not only its color tells it from others. */
  readonly dash: readonly number[]
}

interface ChartProps {
  readonly days: readonly string[]
  readonly lines: readonly ChartLine[]
  /** Returns the colors of the lines in the theme of the page. */
  readonly colors: () => readonly string[]
}

/** Draws lines on a canvas, as wide as their container. */
export function Chart({ days, lines, colors }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas has no style sheet, so each theme draws it again.
  useEffect(() => {
    if (!box.current) return
    const { current } = box
    const sizeOf = () => ({ width: current.clientWidth, height: current.clientHeight })
    const plot = new UPlot(
      { ...sizeOf(), ...optionsOf({ days, lines, colors: colors() }, getComputedStyle(current)) },
      [days.map((_, index) => index), ...lines.map(({ values }) => [...values])],
      current,
    )
    const observer = new ResizeObserver(() => plot.setSize(sizeOf()))
    observer.observe(current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, lines, colors, theme, isDark])
  return <div ref={box} className={css.canvas} dir="ltr" />
}

function optionsOf(
  { days, lines, colors }: Omit<ChartProps, 'colors'> & { colors: readonly string[] },
  { color, borderColor, fontFamily, fontSize }: CSSStyleDeclaration,
) {
  const axis = { stroke: color, font: `${fontSize} ${fontFamily}` }
  const line = { stroke: borderColor, width: 1 }
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false },
      y: { range: (_: UPlot, _min: number, max: number): [number, number] => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ticks: { ...line, size: 4 },
        space: 70,
        incrs: [7, 14, 30],
        values: (_: UPlot, splits: number[]) =>
          splits.map((index) => (days[index] === undefined ? '' : dayOfDate(days[index]))),
      },
      {
        ...axis,
        grid: line,
        ticks: { show: false },
        incrs: [1, 2, 5]
          .flatMap((step) => [0, 1, 2, 3, 4, 5, 6].map((power) => step * 10 ** power))
          .sort((a, b) => a - b),
        values: (_: UPlot, splits: number[]) => splits.map(formatNumber),
      },
    ],
    series: [
      {},
      ...lines.map(({ dash }, index) => ({
        stroke: colors[index] ?? color,
        width: 2,
        dash: [...dash],
        spanGaps: true,
      })),
    ],
  }
}
