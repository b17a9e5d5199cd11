import { expect, type Locator, type Page } from '@playwright/test'

/** More stops than any screen has before what is looked for. */
const maxStops = 80

/** Hands without a pointer. At each stop it is looked whether the focus can be seen. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Goes on by Tab until it has come there. */
  async to(place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    await expect(place.first()).toBeVisible()
    let rounds = 0
    for (let stop = 0; stop < maxStops && rounds < 2; stop++) {
      await this.#page.keyboard.press(key)
      const { name, fault } = await this.#page.evaluate(focused)
      // After the last stop of a page comes the browser's own.
      if (name === 'nothing') rounds += 1
      else expect(fault, `the focus at ${name}`).toBeUndefined()
      if (await place.evaluateAll((found) => found.some((one) => one === document.activeElement))) return
    }
    throw new Error(`No way by ${key} to ${place}`)
  }

  async press(...keys: string[]) {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Goes there and presses Enter. */
  async follow(place: Locator) {
    await this.to(place)
    await this.press('Enter')
  }

  /** Goes to a field and writes over what stands there. */
  async write(field: Locator, text: string) {
    await this.to(field)
    await this.press('ControlOrMeta+A')
    await this.#page.keyboard.insertText(text)
  }
}

/** Where the focus is, and what is wrong with how it shows. Runs in the page. */
function focused(): { name: string; fault?: string } {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return { name: 'nothing' }
  const name = `${element.tagName} ${element.ariaLabel ?? element.textContent ?? ''}`.trim().slice(0, 60)
  // Titles are places, not controls: the focus came to one because what had it has gone meanwhile.
  if (element.matches('h1, main')) return { name }

  // The ring may be drawn around what stands for the control: a label beside it, a frame around it, or all of its row.
  const [drawn, ring] =
    [element, element.nextElementSibling, element.parentElement]
      .flatMap((part) => (part instanceof HTMLElement && isSeen(part) ? ringsOf(part) : []))
      .find(
        ([, { outlineStyle, outlineWidth }]) =>
          outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      ) ?? []
  if (drawn === undefined || ring === undefined) return { name, fault: 'has no ring' }
  const contrast = contrastOf(ring.outlineColor, groundOf(drawn.parentElement))
  if (contrast < 3) return { name, fault: `has a ring of a contrast of ${contrast.toFixed(1)}` }

  const box = drawn.getBoundingClientRect()
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
  if (right <= left || bottom <= top) return { name, fault: 'is out of sight' }
  const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  if (on !== null && !drawn.contains(on) && !on.contains(drawn) && !isLabelOf(on, element))
    return { name, fault: `is under ${on.tagName} ${on.className}` }
  return { name }

  /** A control that something else is drawn for is there, but not to be seen. */
  function isSeen(part: HTMLElement) {
    const { opacity, clipPath } = getComputedStyle(part)
    const { width, height } = part.getBoundingClientRect()
    return opacity !== '0' && clipPath === 'none' && width > 1 && height > 1
  }

  function ringsOf(part: HTMLElement): [HTMLElement, CSSStyleDeclaration][] {
    return [
      [part, getComputedStyle(part)],
      [part, getComputedStyle(part, '::after')],
    ]
  }

  function isLabelOf(part: Element, control: HTMLElement) {
    return (
      control instanceof HTMLInputElement &&
      Array.from(control.labels ?? []).some((label) => label.contains(part))
    )
  }

  /** The color behind a ring, which lies a little outside of what it is drawn around. */
  function groundOf(around: HTMLElement | null): string {
    for (let part = around; part !== null; part = part.parentElement) {
      const { backgroundColor } = getComputedStyle(part)
      if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }

  function contrastOf(one: string, other: string): number {
    const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return (lighter + 0.05) / (darker + 0.05)
  }

  function luminance(color: string): number {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
}
