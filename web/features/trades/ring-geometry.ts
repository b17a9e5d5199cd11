interface Point {
  readonly x: number
  readonly y: number
}

/** Returns a point on a circle around the origin. `turn` is a fraction of the circle, clockwise from the top. */
export function pointAt(turn: number, radius: number): Point {
  const angle = turn * 2 * Math.PI - Math.PI / 2
  return { x: round(radius * Math.cos(angle)), y: round(radius * Math.sin(angle)) }
}

/** Returns the path of an arc of the circle, clockwise from one turn to another. */
export function arc(from: number, to: number, radius: number): string {
  const [start, end] = [pointAt(from, radius), pointAt(to, radius)]
  return `M${start.x} ${start.y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}`
}

/** Rounds a length, because the last digits differ between the server and the browser. */
function round(length: number): number {
  return Math.round(length * 100) / 100
}
