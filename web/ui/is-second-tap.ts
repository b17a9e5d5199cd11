/** Returns whether a click is the second of a double tap. The first may have removed a row, so the second would hit the next one. */
export function isSecondTap({ detail }: { readonly detail: number }): boolean {
  return detail > 1
}
