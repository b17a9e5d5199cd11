const regions = 'li, ul, ol, article, section, form, dialog'
const controls = 'a[href], button, input, select, textarea, summary'

/**
 * Moves the focus when the focused element is removed and nothing else is focused: to the next control of the region that it was in, or
 * to the previous one, or else to the heading of the screen.
 */
export function restoreLostFocus() {
  let focused: Element | undefined
  let path = ''
  // A live range keeps the place of an element that is removed.
  const place = new Range()
  /** The place of the last focused element outside of dialogs, which are children of the body. */
  const placeInPage = new Range()
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    focused = target
    path = location.pathname
    place.selectNode(target)
    if (target.closest('dialog') === null) placeInPage.selectNode(target)
  })
  document.addEventListener('focusout', () => {
    queueMicrotask(() => {
      // The focus was not lost: the member has pressed beside all controls.
      if (focused?.isConnected && document.activeElement === document.body) focused = undefined
    })
  })
  const watcher = new MutationObserver(() => {
    if (focused === undefined || focused.isConnected) return
    focused = undefined
    // The code that removed the control may move the focus in the same task.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const next = location.pathname === path ? (controlNear(place) ?? controlNear(placeInPage)) : undefined
      if (next === undefined) focusTitle()
      else next.focus()
    })
  })
  watcher.observe(document.body, { childList: true, subtree: true })
}

/** Focuses the heading of the screen, or its `<main>`. */
export function focusTitle() {
  const main = document.querySelector<HTMLElement>('main')
  const title = main?.querySelector<HTMLElement>('h1') ?? main
  if (title?.hasAttribute('tabindex') === false) title.tabIndex = -1
  title?.focus({ preventScroll: true })
}

/** Returns the next control in the nearest region that has one, or the previous one there. */
function controlNear(place: Range): HTMLElement | undefined {
  const { startContainer } = place
  const start = startContainer instanceof Element ? startContainer : startContainer.parentElement
  for (let region = start?.closest(regions); region; region = region.parentElement?.closest(regions)) {
    const found = [...region.querySelectorAll<HTMLElement>(controls)].filter(canFocus)
    if (found.length > 0) return found.find((control) => place.comparePoint(control, 0) > 0) ?? found.at(-1)
  }
}

function canFocus(control: HTMLElement): boolean {
  return control.tabIndex >= 0 && !control.matches(':disabled') && control.checkVisibility()
}
