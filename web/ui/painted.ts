/** Longer than a frame takes; whoever puts the page away meanwhile sees none. */
const longestMs = 500

/** Resolves when what has changed on the screen so far is painted; at once where nobody looks. */
export function painted(): Promise<void> {
  if (globalThis.document?.visibilityState !== 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, longestMs)
  })
}
