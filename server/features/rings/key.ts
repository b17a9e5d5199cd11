/** Returns the ids in ascending order, which is the key of a ring. */
export function keyOfRing(listings: readonly number[]): number[] {
  return listings.toSorted((one, other) => one - other)
}
