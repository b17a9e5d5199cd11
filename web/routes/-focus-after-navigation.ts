import type { AnyRouter } from '@tanstack/react-router'
import { focusTitle, restoreLostFocus } from '#web/ui/restore-lost-focus.ts'

/**
 * Focuses the heading of each new screen, or its `<main>`, so that screen readers announce it and the keyboard continues there. Back and
 * Forward focus the link that was followed from their screen, if it is still there. Does nothing on the first screen of a visit.
 */
export function focusAfterNavigation(router: AnyRouter) {
  restoreLostFocus()
  /** The address of the followed link by the key of the history entry. */
  const followed = new Map<string | undefined, string | null>()
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    const focused = document.activeElement
    if (focused?.matches('a')) followed.set(fromLocation?.state.__TSR_key, focused.getAttribute('href'))
  })
  // `fromLocation` is undefined until the first screen has loaded, which may be after the first navigation.
  let shown = router.latestLocation.pathname
  return router.subscribe('onRendered', ({ toLocation }) => {
    if (toLocation.pathname === shown) return
    shown = toLocation.pathname
    const main = document.querySelector<HTMLElement>('main')
    const focused = document.activeElement
    // The pressed link may stay on the screen, for example in a list beside the opened item.
    const isCurrentLink = focused?.matches('a[aria-current="page"]') ?? false
    // The screen may have focused an element already, such as its search box.
    if (main === null || (main.contains(focused) && main !== focused && !isCurrentLink)) return
    const href = followed.get(toLocation.state.__TSR_key)
    if (href) document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus()
    if (document.activeElement === focused) focusTitle()
  })
}
