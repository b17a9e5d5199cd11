/** The distance between the positions that are tried. */
const stepPx = 8

/** A link taller than this is a card. Covering a card is better than covering a control. */
const cardHeightPx = 60

const controls = 'a, button, input, select, textarea, label'

type Box = Pick<DOMRectReadOnly, 'left' | 'right' | 'top' | 'bottom'>

/** Moves a fixed element up to the first position where its content covers no control, or the least area of controls. */
export function uncoverControls(host: HTMLElement) {
  const content = host.firstElementChild
  if (!(content instanceof HTMLElement)) return
  host.style.translate = 'none'
  const { left, top, bottom } = host.getBoundingClientRect()
  // Computed from the offsets, which ignore the content's entry animation.
  const contentBox = {
    left: left + content.offsetLeft,
    right: left + content.offsetLeft + content.offsetWidth,
    top,
    bottom,
  }
  const obstacles = [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((control) => !host.contains(control) && control.checkVisibility({ visibilityProperty: true }))
    .map((control) => ({ control, box: control.getBoundingClientRect() }))
    .map(({ control, box }) => ({
      box,
      weight: control.matches('a') && box.height > cardHeightPx ? 1 : 1000,
    }))

  let best = { shift: 0, covered: Number.POSITIVE_INFINITY }
  for (let shift = 0; top - shift >= stepPx && best.covered > 0; shift += stepPx) {
    const moved = { ...contentBox, top: top - shift, bottom: bottom - shift }
    const covered = obstacles.reduce((sum, { box, weight }) => sum + weight * overlapArea(moved, box), 0)
    if (covered < best.covered) best = { shift, covered }
  }
  host.style.translate = `0 ${-best.shift}px`
}

function overlapArea(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return width > 0 && height > 0 ? width * height : 0
}
