import { queryOptions } from '@tanstack/react-query'
import boxes from './outlines/boxes.json'

/** In the units of one map of the country. */
export type Box = readonly [left: number, top: number, width: number, height: number]

interface Outline {
  readonly path: string
  readonly box: Box
  /** Where its number is drawn. */
  readonly center: readonly [x: number, y: number]
}

/** The outlines of counties by id. */
type Outlines = Readonly<Record<string, Outline>>

const files = import.meta.glob<string>('./outlines/[0-9]*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Returns the state of a county, or undefined if there are no outlines of it: other countries have none. */
export function stateOf(area: number): string | undefined {
  const state = String(Math.floor(area / 1000)).padStart(2, '0')
  return fileOf(state) === undefined ? undefined : state
}

/** Returns the states whose boxes overlap a part of the map. */
export function statesIn([left, top, width, height]: Box): string[] {
  return Object.entries<readonly number[]>(boxes)
    .filter(
      ([, [x = 0, y = 0, wide = 0, high = 0]]) =>
        x < left + width && x + wide > left && y < top + height && y + high > top,
    )
    .map(([state]) => state)
    .sort()
}

function fileOf(state: string): string | undefined {
  return files[`./outlines/${state}.json`]
}

/** The query of the outlines of states, which never change. */
export function outlinesQuery(states: readonly string[]) {
  return queryOptions({
    queryKey: ['outlines', states],
    queryFn: async ({ signal }): Promise<Outlines> => {
      const read = async (state: string): Promise<Outlines> => {
        const response = await fetch(fileOf(state) ?? '', { signal })
        if (!response.ok) throw new Error(`No outlines of ${state}`)
        return await response.json()
      }
      return Object.assign({}, ...(await Promise.all(states.map(read))))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
