import { expect, type Page } from '@playwright/test'

/** Fails with the elements that overflow the page, are cut off, overlap others, are too narrow for their text, underlined twice or fields with small text. */
export async function expectNoLayoutFaults(page: Page, where: string) {
  expect.soft(await page.evaluate(findLayoutFaults), where).toEqual([])
}

/** Sets the browser's text size, such as '200%'. An empty one resets it. */
export function setTextSize(page: Page, size: string) {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size
  }, size)
}

/** Returns elements that overflow the page, are cut off, overlap others, are too narrow for their text, underlined twice or fields with small text. Runs in the page. */
function findLayoutFaults(): string[] {
  const width = document.documentElement.clientWidth
  const faults: string[] = []
  const fields = 'input:not([type="checkbox"], [type="radio"], [type="file"]), select, textarea'
  if (document.documentElement.scrollWidth > width) faults.push('the page scrolls sideways')

  const texts: { text: string; boxes: DOMRect[]; block: Element | null }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? ''
    const parent = node.parentElement
    if (text === '' || parent === null || !isSeen(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = Array.from(range.getClientRects())
      .map((box) => shownPart(box, parent))
      .filter((box) => box.width > 1 && !isScrolledAway(box, parent))
    for (const box of boxes) check(text, box, parent)
    if (linesBelow(parent, boxes.at(-1)) > 1) faults.push(`"${text.slice(0, 40)}" is underlined twice`)
    const lines = new Set(boxes.map(({ top }) => Math.round(top))).size
    if (lines > 3 && text.length < 4 * lines) faults.push(`"${text.slice(0, 40)}" is in a narrow column`)
    if (!floats(parent)) texts.push({ text, boxes, block: blockOf(parent) })
  }
  for (const [index, one] of texts.entries())
    for (const other of texts.slice(index + 1))
      if (
        one.block !== other.block &&
        one.boxes.some((box) => other.boxes.some((under) => overlap(box, under)))
      )
        faults.push(`"${one.text.slice(0, 40)}" lies on "${other.text.slice(0, 40)}"`)

  const controls = Array.from(document.querySelectorAll<HTMLElement>('a, button, input, select, textarea'))
    .filter(isSeen)
    .map((control) => ({ control, box: control.getBoundingClientRect() }))
    .filter(({ control, box }) => !isScrolledAway(box, control))
  for (const { control, box } of controls) {
    check(nameOf(control), box, control)
    if (control.matches('[type="date"], [type="time"]') && isTooNarrow(control))
      faults.push(`the control "${nameOf(control)}" cuts its text off`)
    if (control.matches(fields) && Number.parseFloat(getComputedStyle(control).fontSize) < 16)
      faults.push(`phones zoom into the small text of the field "${nameOf(control)}"`)
  }
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1))
      if (
        overlap(one.box, other.box) &&
        !floats(one.control) &&
        !floats(other.control) &&
        !isPartOf(one, other)
      )
        faults.push(`the control "${nameOf(one.control)}" lies on "${nameOf(other.control)}"`)
  return [...new Set(faults)]

  function check(text: string, box: DOMRect, within: Element) {
    for (
      let part: Element | null = within;
      part !== null && part !== document.body;
      part = part.parentElement
    ) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(part)
      if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return
      // An ellipsis shows that text is cut, so it is allowed.
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return
      const around = part.getBoundingClientRect()
      const isCut = overflowX === 'hidden' && (box.right > around.right + 2 || box.left < around.left - 2)
      const isCutBelow =
        overflowY === 'hidden' && (box.bottom > around.bottom + 6 || box.top < around.top - 6)
      if (isCut || isCutBelow) return faults.push(`"${text.slice(0, 40)}" is cut off`)
    }
    if (box.right > width + 1 || box.left < -1) faults.push(`"${text.slice(0, 40)}" runs out of the page`)
  }

  /** Returns how many lines the link or button of a text draws below it: underlines, and borders near the text. */
  function linesBelow(within: Element, box: DOMRect | undefined): number {
    const control = within.closest('a, button')
    if (control === null || box === undefined) return 0
    let lines = 0
    let isInherited = true
    for (let part: Element | null = within; part && control.contains(part); part = part.parentElement) {
      const { textDecorationLine, display, borderBottomWidth } = getComputedStyle(part)
      if (isInherited && textDecorationLine.includes('underline')) lines += 1
      const isNear = part.getBoundingClientRect().bottom - box.bottom < 12
      if (isNear && Number.parseFloat(borderBottomWidth) > 0) lines += 1
      // An inline block does not have the underline of what is around it.
      isInherited &&= !display.startsWith('inline-')
    }
    return lines
  }

  function blockOf(element: Element): Element | null {
    const { display } = getComputedStyle(element)
    return display === 'inline' && element.parentElement !== null ? blockOf(element.parentElement) : element
  }

  /** Returns whether a field is narrower than its content, which is in the browser's shadow tree. */
  function isTooNarrow(control: HTMLElement): boolean {
    const { width } = control.getBoundingClientRect()
    const inline = control.style.width
    control.style.width = 'max-content'
    const needed = control.getBoundingClientRect().width
    control.style.width = inline
    return needed > width + 1
  }

  /** Returns the part of a text's box that an ellipsis leaves. */
  function shownPart(box: DOMRect, within: Element): DOMRect {
    const { textOverflow } = getComputedStyle(within)
    if (textOverflow !== 'ellipsis') return box
    const around = within.getBoundingClientRect()
    const left = Math.max(box.left, around.left)
    return new DOMRect(left, box.top, Math.max(0, Math.min(box.right, around.right) - left), box.height)
  }

  function isScrolledAway({ top, bottom }: DOMRect, within: Element): boolean {
    for (
      let part: Element | null = within;
      part !== null && part !== document.body;
      part = part.parentElement
    ) {
      const around = part.getBoundingClientRect()
      const scrolls = /auto|scroll/.test(getComputedStyle(part).overflowY)
      if (scrolls && (bottom > around.bottom || top < around.top)) return true
    }
    return false
  }

  function isSeen(element: Element): boolean {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
    for (let part: Element | null = element; part !== null; part = part.parentElement)
      if (getComputedStyle(part).clipPath.startsWith('inset(50%')) return false
    // Only the open dialog counts.
    const dialog = document.querySelector('dialog[open]')
    return dialog === null || dialog.contains(element)
  }

  /** Returns whether an element is fixed or sticky, and so lies over the page on purpose. */
  function floats(element: Element): boolean {
    for (
      let part: Element | null = element;
      part !== null && part.tagName !== 'DIALOG';
      part = part.parentElement
    )
      if (/fixed|sticky/.test(getComputedStyle(part).position)) return true
    return false
  }

  function isPartOf(one: { control: Element }, other: { control: Element }): boolean {
    // A search field contains the button that clears it.
    const isInField =
      one.control.matches('input') && one.control.closest('form')?.contains(other.control) === true
    return (
      isInField ||
      one.control.contains(other.control) ||
      one.control.parentElement?.contains(other.control) === true
    )
  }

  function overlap(one: DOMRect, other: DOMRect): boolean {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
    return across > 2 && down > 0.3 * Math.min(one.height, other.height)
  }

  function nameOf(control: HTMLElement): string {
    return (
      (control.ariaLabel ?? control.textContent ?? '').trim().slice(0, 40) || control.outerHTML.slice(0, 60)
    )
  }
}
