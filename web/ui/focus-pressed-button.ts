/**
 * Focuses a button that is clicked with a pointer, as Chromium and Firefox do. Safari leaves the focus at the page: a dialog would then not
 * return the focus to its button. A button that prevents the default of `mousedown` leaves the focus where it is. Returns a function that
 * stops it.
 */
export function focusPressedButton(): () => void {
  const stop = new AbortController()
  /** The button of the last press. */
  let pressed: Element | undefined
  const buttonAt = ({ target }: Event) =>
    target instanceof Element ? (target.closest('button, summary') ?? undefined) : undefined
  addEventListener(
    'mousedown',
    (event) => {
      pressed = event.defaultPrevented ? undefined : buttonAt(event)
    },
    stop,
  )
  addEventListener(
    'click',
    (event) => {
      const button = buttonAt(event)
      if (!(button instanceof HTMLElement) || button !== pressed) return
      pressed = undefined
      if (!button.contains(document.activeElement)) button.focus({ preventScroll: true })
    },
    // Before the handlers of React, which may open a dialog.
    { signal: stop.signal, capture: true },
  )
  return () => stop.abort()
}
