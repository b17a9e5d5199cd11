/** The second of two taps in one place: the first may have taken a row away, and brought the next one under the finger. */
export function isSecondTap({ detail }: { readonly detail: number }): boolean {
  return detail > 1
}

/** Where the keyboard goes on when a row of a list goes: in the next row, else in the one before. After the last, at the title. */
export function controlOfNextRow(inside: Element | null, control = 'a, button'): HTMLElement | null {
  const row = inside?.closest('li')
  const sibling = row?.nextElementSibling ?? row?.previousElementSibling
  return sibling?.querySelector<HTMLElement>(control) ?? document.querySelector('h1')
}
