import type { DrawingName } from './drawings.ts'

/** A drawing in a picture of 400 by 400: the middle of it, how wide, and turned by how many degrees. A negative width mirrors it. */
export type Item = readonly [drawing: DrawingName, x: number, y: number, width: number, turn?: number]

export interface Layer {
  readonly drawing: DrawingName
  readonly x: number
  readonly y: number
  readonly width: number
  readonly turn: number
  /** Seen from above a thing casts its own outline, seen from the side a puddle at its foot. */
  readonly shadow: 'outline' | 'foot' | 'none'
}

/** What is painted: the ground, and on it the layers from back to front. */
export interface Composition {
  readonly ground: string
  readonly layers: readonly Layer[]
}

const layersOf = (items: readonly Item[], shadow: Layer['shadow']): Layer[] =>
  items.map(([drawing, x, y, width, turn = 0]) => ({ drawing, x, y, width, turn, shadow }))

/** Laid out flat, seen from above. */
export function lying(ground: string, ...items: Item[]): Composition {
  return { ground, layers: layersOf(items, 'outline') }
}

/** Standing on a table or in a bed, seen from the side. */
export function standing(ground: string, ...items: Item[]): Composition {
  return { ground, layers: layersOf(items, 'foot') }
}

/** Heaped into a container, which has a back and a front. */
const heapedInto =
  (back: DrawingName, front: DrawingName, width: number) =>
  (ground: string, ...items: Item[]): Composition => ({
    ground,
    layers: [
      ...layersOf([[back, 200, 208, width]], 'foot'),
      ...layersOf(items, 'outline'),
      ...layersOf([[front, 200, 208, width]], 'none'),
    ],
  })

export const basket = heapedInto('basket back', 'basket front', 396)
export const bowl = heapedInto('bowl back', 'bowl front', 380)
export const yellowBowl = heapedInto('yellow bowl back', 'yellow bowl front', 380)
export const crate = heapedInto('crate back', 'crate front', 400)
