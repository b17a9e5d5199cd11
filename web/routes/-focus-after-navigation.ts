import type { AnyRouter } from '@tanstack/react-router'

/**
 * Takes the focus to the title of a screen that has come, or to its main part, so that it is announced and the keyboard
 * goes on from there. The first screen of a visit starts where every page does.
 */
export function focusAfterNavigation(router: AnyRouter) {
  catchLostFocus()
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    const main = document.querySelector<HTMLElement>('main')
    const held = document.activeElement
    // A link that stays on the screen, such as one of a list beside what it opens, has led here.
    const hasLed = held?.matches('a[aria-current="page"]') ?? false
    // A screen may have given the focus to something already, such as its search box.
    if (main === null || (main.contains(held) && main !== held && !hasLed)) return
    focusTitle(main)
  })
}

/** Whoever's control goes with what it did, and who was shown no better place, goes on at the title and not at the top of the page. */
function catchLostFocus() {
  let held: EventTarget | null = null
  document.addEventListener('focusin', ({ target }) => {
    held = target
  })
  const watcher = new MutationObserver(() => {
    if (!(held instanceof Element) || held.isConnected) return
    held = null
    // The code that removed the control may move the focus in the same task.
    requestAnimationFrame(() => {
      const main = document.querySelector<HTMLElement>('main')
      if (main !== null && document.activeElement === document.body) focusTitle(main)
    })
  })
  watcher.observe(document.body, { childList: true, subtree: true })
}

function focusTitle(main: HTMLElement) {
  const place = main.querySelector<HTMLElement>('h1') ?? main
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.focus({ preventScroll: true })
}
