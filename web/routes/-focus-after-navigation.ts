import type { AnyRouter } from '@tanstack/react-router'
import { focusTitle, restoreLostFocus } from '#web/ui/restore-lost-focus.ts'

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
    focusTitle()
  })
}
