/** Returns whether a click is the second of a double tap. The first may have removed a row, so the second would hit the next one. */
export function isSecondTap({ detail }: { readonly detail: number }): boolean {
  return detail > 1
}

/** Returns the control to focus after a row is removed: in the next row, or the previous one, or else the heading. */
export function controlOfNextRow(element: Element | null, control = 'a, button'): HTMLElement | null {
  const row = element?.closest('li')
  const sibling = row?.nextElementSibling ?? row?.previousElementSibling
  return sibling?.querySelector<HTMLElement>(control) ?? document.querySelector('h1')
}
