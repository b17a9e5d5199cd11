/** The time limit: a page that is hidden in the meantime has no animation frames. */
const timeoutMs = 500

/** Resolves after the next paint, or at once if the page is not visible. */
export function painted(): Promise<void> {
  if (globalThis.document?.visibilityState !== 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, timeoutMs)
  })
}
