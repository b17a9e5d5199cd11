/** True for the id of a row, as the path of a page may hold it. */
export function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
