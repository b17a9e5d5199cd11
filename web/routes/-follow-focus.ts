import type { AnyRouter } from '@tanstack/react-router'

/**
 * Takes the focus to the title of a screen that has come, or to its main part, so that it is announced and the keyboard
 * goes on from there. The first screen of a visit starts where every page does.
 */
export function followFocus(router: AnyRouter) {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    const main = document.querySelector<HTMLElement>('main')
    // A screen may have given the focus to something already, such as its search box.
    if (main === null || (main.contains(document.activeElement) && main !== document.activeElement)) return
    const place = main.querySelector<HTMLElement>('h1') ?? main
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1
    place.focus({ preventScroll: true })
  })
}
