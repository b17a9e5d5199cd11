/** Resolves when what has changed on the screen so far is painted; at once where nobody looks. */
export function painted(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve()
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
