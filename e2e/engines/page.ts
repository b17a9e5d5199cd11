import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver, Key } from './driver.ts'
import { findBox, type Kind } from './find-box.ts'

const waitMs = 15_000
const pollMs = 50

interface Where {
  /** Takes the last that matches. */
  readonly last?: boolean
  /** A selector of what is around it. */
  readonly within?: string
}

/** A page of any engine. Everything waits until it is possible. */
export class EnginePage {
  readonly driver: Driver
  readonly #origin: string

  constructor(driver: Driver, origin: string) {
    this.driver = driver
    this.#origin = origin
  }

  /** Loads a page and waits until it is hydrated. The landing page is never hydrated. */
  async goto(path: string) {
    await this.driver.goto(this.#origin + path)
    await this.hydrated()
  }

  hydrated() {
    return this.until('the page is hydrated', () =>
      this.evaluate(
        () => document.readyState === 'complete' && !document.documentElement.hasAttribute('data-hydrating'),
      ),
    )
  }

  /** Calls a function in the page. It can use its arguments only. */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return this.driver.evaluate(String(run), args) as Promise<Awaited<Result>>
  }

  /** Waits until the function returns something truthy, and returns it. */
  async until<Result>(what: string, check: () => Promise<Result>, ms = waitMs): Promise<Result> {
    const deadline = Date.now() + ms
    let failure: unknown
    do {
      try {
        const result = await check()
        if (result) return result
      } catch (error) {
        // The page may be loading.
        failure = error
      }
      await sleep(pollMs)
    } while (Date.now() < deadline)
    throw new Error(`Waited in vain until ${what}`, { cause: failure })
  }

  at(path: RegExp) {
    return this.until(`the path is ${path}`, async () =>
      path.test(await this.evaluate(() => location.pathname + location.search)),
    )
  }

  async has(kind: Kind, name: string | RegExp, where: Where = {}) {
    return (await this.#find(kind, name, where)) !== null
  }

  see(text: string | RegExp, where?: Where) {
    return this.until(`there is ${text}`, () => this.has('text', text, where))
  }

  gone(text: string | RegExp, where?: Where) {
    return this.until(`there is no ${text}`, async () => !(await this.has('text', text, where)))
  }

  /** Clicks the middle of an element once nothing covers it and it stays in its place. */
  click(kind: Kind, name: string | RegExp, where: Where = {}) {
    let last: ReturnType<typeof findBox> = null
    return this.until(`${kind} ${name} can be clicked`, async () => {
      const before = last
      const box = await this.#find(kind, name, { ...where, isClick: true })
      last = box
      if (box === null || box.x !== before?.x || box.y !== before.y) return false
      await this.driver.clickAt(box.x, box.y)
      return true
    })
  }

  /** Replaces the text of a field by typing. Clicks again if the field has moved away from the click. */
  async fill(name: string | RegExp, text: string, where: Where = {}) {
    await this.until(`field ${name} has the focus`, async () => {
      await this.click('field', name, where)
      return this.has('focused', name, where)
    })
    await this.evaluate(() => {
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.select()
    })
    await this.driver.type(text)
  }

  /** Chooses files in the input that the selector matches, once it is there. */
  async chooseFiles(selector: string, paths: readonly string[]) {
    await this.until(`there is ${selector}`, () =>
      this.evaluate((selector) => document.querySelector(selector) !== null, selector),
    )
    await this.driver.chooseFiles(selector, paths)
  }

  press(key: Key) {
    return this.driver.press(key)
  }

  /** Opens the dialog of a button, and waits for it. */
  async openDialog(kind: Kind, name: string | RegExp) {
    await this.click(kind, name)
    await this.until('a dialog is open', () =>
      this.evaluate(() => document.querySelector('dialog:modal') !== null),
    )
  }

  dialogClosed() {
    return this.until('the dialog is closed', () =>
      this.evaluate(() => document.querySelector('dialog[open]') === null),
    )
  }

  /** Returns the text of the focused element. */
  focused() {
    return this.evaluate(() => {
      const { activeElement } = document
      return `${activeElement?.getAttribute('aria-label') ?? ''}${activeElement?.textContent ?? ''}`.trim()
    })
  }

  #find(
    kind: Kind,
    name: string | RegExp,
    { last = false, within = '', isClick = false }: Where & { isClick?: boolean },
  ) {
    const [source, flags] = typeof name === 'string' ? [name, null] : [name.source, name.flags]
    return this.evaluate(findBox, kind, source, flags, last, within, isClick)
  }
}
