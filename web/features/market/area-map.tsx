import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ListingArea } from '#contract/listing-queries.ts'
import { formatNumber } from '#web/i18n/formats.ts'
import css from './area-map.module.css'
import type { MarketSearch } from './market-search.ts'
import { type Box, outlinesQuery, stateOf, statesIn } from './outlines.ts'

type Shown = ListingArea & { readonly area: number }

type AreaMapProps = { areas: readonly ListingArea[]; search: MarketSearch }

/** The least width and height of the map, about 100 kilometres. */
const leastExtent = 220
const margin = 40

/** Draws the counties with the numbers of their listings. Hidden from screen readers and the keyboard, which have the list of the same areas. */
export function AreaMap({ areas, search }: AreaMapProps) {
  const shown = areas.filter((each): each is Shown => each.area !== null)
  const states = [...new Set(shown.flatMap(({ area }) => stateOf(area) ?? []))].sort()
  const { data: outlines = {} } = useQuery({ ...outlinesQuery(states), enabled: states.length > 0 })
  const view = viewOf(shown.flatMap(({ area }) => outlines[area] ?? []).map(({ box }) => box))
  // Counties of other states may be in the view, too.
  const all = view === undefined ? [] : statesIn(view)
  const { data: surroundings = outlines } = useQuery({ ...outlinesQuery(all), enabled: all.length > 0 })
  if (states.length === 0) return null
  const countOf = new Map(shown.map(({ area, count }) => [String(area), count]))
  const drawn = Object.entries(surroundings).map(([id, outline]) => ({
    id,
    ...outline,
    count: countOf.get(id) ?? 0,
  }))
  const most = Math.max(...countOf.values())
  return (
    <svg className={css.map} viewBox={view?.join(' ')} aria-hidden="true">
      {drawn.map(({ id, path, count }) =>
        count === 0 ? (
          <path key={id} d={path} className={css.county} />
        ) : (
          <Link
            key={id}
            tabIndex={-1}
            to="/listings"
            search={{ ...search, area: id === String(search.area) ? undefined : Number(id) }}
            resetScroll={false}
          >
            <path
              d={path}
              className={css.county}
              data-shade={Math.ceil((3 * count) / most)}
              data-chosen={id === String(search.area) || undefined}
            />
          </Link>
        ),
      )}
      {drawn.map(
        ({ id, center: [x, y], count }) =>
          count > 0 && (
            <text key={id} x={x} y={y} fontSize={(view?.[2] ?? 0) / 18}>
              {formatNumber(count)}
            </text>
          ),
      )}
    </svg>
  )
}

/** Returns the part of the map that contains these boxes, at least as large as `leastExtent`. Undefined without boxes. */
function viewOf(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined
  const left = Math.min(...boxes.map(([x]) => x))
  const top = Math.min(...boxes.map(([, y]) => y))
  const width = Math.max(...boxes.map(([x, , wide]) => x + wide)) - left
  const height = Math.max(...boxes.map(([, y, , high]) => y + high)) - top
  const wide = Math.max(width, leastExtent) + 2 * margin
  const high = Math.max(height, leastExtent) + 2 * margin
  return [left - (wide - width) / 2, top - (high - height) / 2, wide, high]
}
