/** A seeded random number generator. */
export interface Random {
  /** A whole number from `from` up to and including `to`. */
  between(from: number, to: number): number
  oneOf<Item>(items: readonly Item[]): Item
}

/** Returns a generator with the Mulberry32 algorithm. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  function draw(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(draw() * (to - from + 1))
  return {
    between,
    oneOf<Item>(items: readonly Item[]) {
      return items[between(0, items.length - 1)] as Item
    },
  }
}
