export type Kind = 'button' | 'link' | 'field' | 'focused' | 'heading' | 'label' | 'text' | 'selector'

/**
 * Returns the middle of a visible element with this accessible name or text, or null. With an open dialog it is found there. A click scrolls
 * it to the middle of the window, and needs one that nothing covers. Runs in the page.
 */
export function findBox(
  kind: Kind,
  source: string,
  flags: string | null,
  last: boolean,
  within: string,
  isClick: boolean,
): { x: number; y: number } | null {
  const selectors = {
    button: 'button, [role=button]',
    link: 'a[href]',
    field: 'input, textarea, select',
    focused: 'input, textarea, select',
    heading: 'h1, h2, h3',
    label: 'label, summary',
    text: '*',
    selector: kind === 'selector' ? source : '*',
  }
  const pattern = flags === null ? undefined : new RegExp(source, flags)
  const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const fits = (text: string | null | undefined) => {
    const words = plain(text)
    if (pattern) return pattern.test(words)
    return kind === 'text' ? words.includes(source) : words === source
  }
  const nameOf = (element: Element) => {
    const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null
    const label =
      element.getAttribute('aria-label') ?? [...(labels ?? [])].map((each) => each.textContent).join(' ')
    return label || element.textContent || element.getAttribute('placeholder')
  }
  const isMatch = (element: Element) => {
    // A window without a manager of windows has no `:focus` in WebKit.
    if (kind === 'focused' && element !== document.activeElement) return false
    if (kind === 'selector') return true
    if (kind !== 'text') return fits(nameOf(element))
    return (
      !element.matches('html, head, head *, script, style') &&
      fits(element.textContent) &&
      ![...element.children].some((child) => fits(child.textContent))
    )
  }
  const root = document.querySelector(within || 'dialog:modal') ?? (within ? null : document)
  const found = [...(root?.querySelectorAll(selectors[kind]) ?? [])].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getClientRects().length > 0 &&
      isMatch(element),
  )
  const element = last ? found.at(-1) : found[0]
  if (element === undefined) return null
  if (isClick) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const middle = { x: left + width / 2, y: top + height / 2 }
  if (!isClick) return middle
  const hit = document.elementFromPoint(middle.x, middle.y)
  const isHit = hit !== null && (element.contains(hit) || hit.contains(element))
  return isHit ? middle : null
}
