/** Returns whether a number from the path of a page can be an id. */
export function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
