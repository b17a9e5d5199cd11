import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { categories, categoryName } from '#contract/constants.ts'
import type { CropSeason } from '#contract/wants.ts'
import { categoryLabel } from '#web/features/listings/categories.ts'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Cluster, Grid, Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { dayOfDate } from '#web/ui/time.tsx'
import { capitalized } from './capitalized.ts'
import css from './crop-seasons.module.css'
import type { NearbySearch } from './nearby-wants-search.ts'
import { cropSeasonsQuery } from './want-queries.ts'

/** Charts the crops with the most unmet wants by week. Nothing if none was counted yet, or the load fails. */
export function CropSeasons({ category }: NearbySearch) {
  const { data: seasons = [] } = useQuery(cropSeasonsQuery(category && categories[category]))
  if (seasons.length === 0) return null
  const weeks = weeksOf(seasons)
  return (
    <Stack as="section" gap="3" className={css.seasons} aria-labelledby="what-to-grow">
      <SectionTitle id="what-to-grow">{t`What to grow`}</SectionTitle>
      <p className={classNames(text.body2, text.muted)}>
        {t`Approximate: counted once a day by county or town, for what at least two gardeners want.`}
      </p>
      <Cluster gap="4" className={css.legend} aria-hidden="true">
        <span className={css.met}>{t({ message: 'met', context: 'wants' })}</span>
        <span className={css.unmet}>{t({ message: 'unmet', context: 'wants' })}</span>
      </Cluster>
      <Grid as="ul" columns="18rem" gap="5">
        {seasons.map((season) => (
          <Season key={`${season.crop} ${season.category_id}`} season={season} weeks={weeks} />
        ))}
      </Grid>
    </Stack>
  )
}

/** The height of a chart for the most wanted week, in the units of its width: one a week. */
const height = 16

function Season({ season, weeks }: { season: CropSeason; weeks: readonly string[] }) {
  const latest = season.weeks.at(-1)
  const most = Math.max(...season.weeks.map(({ wanted }) => wanted))
  const [first = '', last = first] = [weeks[0], weeks.at(-1)]
  if (latest === undefined) return null
  return (
    <Stack as="li" gap="1">
      <h3 className={css.name}>
        <span dir="auto">{capitalized(season.name)}</span>{' '}
        <span className={text.muted}>{categoryLabel(categoryName(season.category_id))}</span>
      </h3>
      <p className={css.counts}>
        {t`${{ wanted: latest.wanted }} wanted, ${{ met: latest.met }} met, ${{ unmet: latest.wanted - latest.met }} unmet`}
      </p>
      <svg
        className={css.chart}
        viewBox={`0 0 ${weeks.length} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {season.weeks.map(({ week, wanted, met }) => {
          const [x, metHeight] = [weeks.indexOf(week) + 0.1, (met / most) * height]
          const all = (wanted / most) * height
          return (
            <g key={week}>
              <rect className={css.unmetBar} x={x} width="0.8" y={height - all} height={all - metHeight} />
              <rect className={css.metBar} x={x} width="0.8" y={height - metHeight} height={metHeight} />
            </g>
          )
        })}
      </svg>
      <p className={css.axis} aria-hidden="true">
        <span>{dayOfDate(first)}</span>
        <span>{dayOfDate(last)}</span>
      </p>
    </Stack>
  )
}

const weekMs = 7 * 86_400_000
/** A chart of fewer weeks would have bars as wide as the screen. */
const fewestWeeks = 13

/** Returns all weeks up to the latest counted one, so that each bar has its place in time. */
function weeksOf(seasons: readonly CropSeason[]): string[] {
  const counted = seasons.flatMap(({ weeks }) => weeks.map(({ week }) => Date.parse(week)))
  const [first, last] = [Math.min(...counted), Math.max(...counted)]
  const count = Math.max(Math.round((last - first) / weekMs) + 1, fewestWeeks)
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * weekMs).toISOString().slice(0, 10),
  )
}
