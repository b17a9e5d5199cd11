import type { Browser, BrowserContext, Page, Request } from '@playwright/test'

/** A browser context with its page, which one test uses at a time. */
interface PooledContext {
  readonly context: BrowserContext
  readonly page: Page
  /** The test options that the context was created with. */
  readonly options: string
  readonly viewport: ReturnType<Page['viewportSize']>
  /** Undo what the test added to the context and its page. */
  readonly undo: (() => unknown)[]
  /** A test made a change that can not be undone. */
  isChanged: boolean
}

/** Methods of a page whose effects last until the page closes. */
const irreversible = ['clock', 'routeWebSocket'] as const

/** A file of the server without scripts. */
const blankPath = '/robots.txt'

/**
 * Reuses browser contexts between the tests of a worker. The first page of a new context loads and compiles every script in a
 * new process, which takes three times the processor time of a page in a reused one. Cookies, storage, permissions, routes,
 * listeners and init scripts are cleared between tests; the HTTP cache stays.
 */
export class ContextPool {
  readonly #browser: Browser
  readonly #idle: PooledContext[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Returns a context with these entries in local storage. `options` are the test options that contexts depend on. */
  async take(
    baseURL: string,
    options: string,
    storage: Readonly<Record<string, string>>,
  ): Promise<PooledContext> {
    const index = this.#idle.findIndex((pooled) => pooled.options === options)
    const [pooled = await this.#open(baseURL, options)] = index < 0 ? [] : this.#idle.splice(index, 1)
    await pooled.page.evaluate((entries) => {
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
    }, storage)
    return pooled
  }

  async #open(baseURL: string, options: string): Promise<PooledContext> {
    const context = await this.#browser.newContext({ baseURL })
    const page = await context.newPage()
    const pooled: PooledContext = {
      ...{ context, page, options, viewport: page.viewportSize() },
      undo: [],
      isChanged: false,
    }
    for (const scripted of [context, page]) {
      const addInitScript: BrowserContext['addInitScript'] = scripted.addInitScript.bind(scripted)
      scripted.addInitScript = async (...script) => {
        const added = await addInitScript(...script)
        pooled.undo.push(() => added.dispose())
        return added
      }
    }
    const exposeFunction: Page['exposeFunction'] = page.exposeFunction.bind(page)
    page.exposeFunction = async (...call) => {
      const added = await exposeFunction(...call)
      pooled.undo.push(() => added.dispose())
      return added
    }
    const on: Page['on'] = page.on.bind(page)
    // TypeScript checks the implementation for one event only.
    page.on = ((event: 'request', listener: (request: Request) => void) => {
      pooled.undo.push(() => page.off(event, listener))
      return on(event, listener)
    }) as Page['on']
    const emulateMedia: Page['emulateMedia'] = page.emulateMedia.bind(page)
    page.emulateMedia = async (options = {}) => {
      const defaults = Object.fromEntries(Object.keys(options).map((name) => [name, null]))
      pooled.undo.push(() => emulateMedia(defaults))
      return emulateMedia(options)
    }
    for (const name of irreversible) {
      const value: unknown = Reflect.get(page, name)
      Object.defineProperty(page, name, {
        get() {
          pooled.isChanged = true
          return value
        },
      })
    }
    await page.goto(blankPath)
    return pooled
  }

  /** Clears the state of the test, or closes the context if that is not possible. */
  async release(pooled: PooledContext, isPassed: boolean): Promise<void> {
    const { context, page } = pooled
    if (!isPassed || pooled.isChanged || page.isClosed()) return context.close()
    await Promise.all(context.pages().map((other) => other !== page && other.close()))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await Promise.all(pooled.undo.splice(0).map((undo) => undo()))
    await context.setOffline(false)
    await context.clearPermissions()
    if (pooled.viewport !== null) await page.setViewportSize(pooled.viewport)
    await page.goto(blankPath)
    await context.clearCookies()
    await page.evaluate(async () => {
      localStorage.clear()
      sessionStorage.clear()
      for (const { name = '' } of await indexedDB.databases())
        await new Promise((resolve) => {
          const deletion = indexedDB.deleteDatabase(name)
          deletion.onsuccess = resolve
          deletion.onerror = resolve
        })
      for (const name of await caches.keys()) await caches.delete(name)
    })
    this.#idle.push(pooled)
  }

  async close() {
    await Promise.all(this.#idle.map(({ context }) => context.close()))
  }
}
