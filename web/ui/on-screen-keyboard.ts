/** A bar of the browser is lower. */
const lowestKeyboardPx = 100

/**
 * Writes the height of the page that an on-screen keyboard covers into `--keyboard` of the document, and marks it with `data-keyboard`.
 * The keyboard of Safari before 27.3 covers the page, because it does not know `interactive-widget`. Where the keyboard resizes the page, the height is 0.
 * Returns a function that stops it.
 */
export function watchKeyboard(): () => void {
  const { visualViewport: viewport } = window
  if (viewport === null) return () => undefined
  const { documentElement } = document
  function measure({ scale, height, offsetTop }: VisualViewport) {
    // The visual viewport of a zoomed page is smaller without a keyboard.
    const covered = scale > 1 ? 0 : Math.round(documentElement.clientHeight - height - offsetTop)
    const isOpen = covered >= lowestKeyboardPx
    documentElement.style.setProperty('--keyboard', isOpen ? `${covered}px` : '0px')
    documentElement.toggleAttribute('data-keyboard', isOpen)
  }
  const stop = new AbortController()
  for (const event of ['resize', 'scroll'])
    viewport.addEventListener(event, () => measure(viewport), { signal: stop.signal })
  measure(viewport)
  return () => stop.abort()
}
