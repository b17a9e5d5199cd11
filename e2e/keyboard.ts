import { expect, type Locator, type Page } from '@playwright/test'

/** More tab stops than any screen has. Lists of the desk have the members of all tests. */
const maxStops = 300

/** Uses a page by keyboard only. Fails at a tab stop whose focus ring is not visible. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Presses Tab until the target has the focus. */
  async tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    await expect(target.first()).toBeVisible()
    let rounds = 0
    for (let stop = 0; stop < maxStops && rounds < 2; stop++) {
      await this.#page.keyboard.press(key)
      const { name, problem, isReached } = await target.evaluateAll(inspectFocus)
      // After the last tab stop of a page the browser's own controls follow.
      if (name === 'nothing') rounds += 1
      else expect(problem, `the focus at ${name}`).toBeUndefined()
      if (isReached) return
    }
    throw new Error(`${key} does not reach ${target}`)
  }

  async press(...keys: string[]) {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Focuses the target and presses Enter. */
  async activate(target: Locator) {
    await this.tabTo(target)
    await this.press('Enter')
  }

  /** Focuses a field and replaces its text. */
  async fill(field: Locator, text: string) {
    await this.tabTo(field)
    await this.press('ControlOrMeta+A')
    await this.#page.keyboard.insertText(text)
  }
}

interface Focus {
  readonly name: string
  /** Why the focus ring is not visible. */
  readonly problem?: string
  /** Whether the focused element is one of the targets. */
  readonly isReached: boolean
}

/** Describes the focused element. Runs in the page. */
function inspectFocus(targets: Element[]): Focus {
  const element = document.activeElement
  const isReached = element !== null && targets.includes(element)
  if (!(element instanceof HTMLElement) || element === document.body) return { name: 'nothing', isReached }
  const name = `${element.tagName} ${element.ariaLabel ?? element.textContent ?? ''}`.trim().slice(0, 60)
  // A heading has the focus when the element that had it was removed. It needs no ring.
  if (element.matches('h1, main')) return { name, isReached }

  // The ring may be drawn around a label beside the control, or around its parent.
  const [drawn, ring] =
    [element, element.nextElementSibling, element.parentElement]
      .flatMap((part) => (part instanceof HTMLElement && isSeen(part) ? ringsOf(part) : []))
      .find(
        ([, { outlineStyle, outlineWidth }]) =>
          outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      ) ?? []
  if (drawn === undefined || ring === undefined) return { name, problem: 'has no ring', isReached }
  const contrast = contrastOf(ring.outlineColor, backgroundOf(drawn.parentElement))
  if (contrast < 3) return { name, problem: `has a ring of a contrast of ${contrast.toFixed(1)}`, isReached }

  const box = drawn.getBoundingClientRect()
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
  if (right <= left || bottom <= top) return { name, problem: 'is outside of the window', isReached }
  const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  if (on !== null && !drawn.contains(on) && !on.contains(drawn) && !isLabelOf(on, element))
    return { name, problem: `is covered by ${on.tagName} ${on.className}`, isReached }
  return { name, isReached }

  /** Returns whether an element is visible. A custom checkbox hides its input. */
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

  /** Returns the color behind a ring, which is drawn outside of the element. */
  function backgroundOf(around: HTMLElement | null): string {
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
