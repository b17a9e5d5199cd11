import type { AnyRouter } from '@tanstack/react-router'

/**
 * Focuses the heading of each new screen, or its `<main>`, so that screen readers announce it and the keyboard continues there.
 * Does nothing on the first screen of a visit.
 */
export function focusAfterNavigation(router: AnyRouter) {
  restoreLostFocus()
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    const main = document.querySelector<HTMLElement>('main')
    const focused = document.activeElement
    // The pressed link may stay on the screen, for example in a list beside the opened item.
    const isCurrentLink = focused?.matches('a[aria-current="page"]') ?? false
    // The screen may have focused an element already, such as its search box.
    if (main === null || (main.contains(focused) && main !== focused && !isCurrentLink)) return
    focusTitle(main)
  })
}

/** Focuses the heading if the focused element was removed and nothing else was focused. */
function restoreLostFocus() {
  let focused: EventTarget | null = null
  document.addEventListener('focusin', ({ target }) => {
    focused = target
  })
  const watcher = new MutationObserver(() => {
    if (!(focused instanceof Element) || focused.isConnected) return
    focused = null
    // The code that removed the control may move the focus in the same task.
    requestAnimationFrame(() => {
      const main = document.querySelector<HTMLElement>('main')
      if (main !== null && document.activeElement === document.body) focusTitle(main)
    })
  })
  watcher.observe(document.body, { childList: true, subtree: true })
}

function focusTitle(main: HTMLElement) {
  const title = main.querySelector<HTMLElement>('h1') ?? main
  if (!title.hasAttribute('tabindex')) title.tabIndex = -1
  title.focus({ preventScroll: true })
}
