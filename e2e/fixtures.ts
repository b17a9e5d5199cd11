import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type Request,
  type WebError,
} from '@playwright/test'
import type axe from 'axe-core'
import { loginLifetimeMs } from '#contract/constants.ts'
import { type OutboxMail, readOutbox } from '#server/platform/mail.ts'
import { Actor } from '#test/actor.ts'
import { ContextPool } from './contexts.ts'
import { administer } from './global-setup.ts'

export { expect } from '@playwright/test'

// biome-ignore lint/style/noProcessEnv: global-setup.ts sets it
export const url = () => process.env.RHUBARB_URL ?? ''

// biome-ignore lint/style/noProcessEnv: global-setup.ts sets it
const dataDir = () => process.env.RHUBARB_DATA ?? ''

/** A person with their own browser context. */
export interface Person {
  readonly page: Page
  /** Allows errors and warnings that the test provokes, each by a part of its text. All others fail the test. */
  allowErrors(...parts: (string | RegExp)[]): void
}

/** A member. `actor` calls the API as this member without a browser. */
export interface Account {
  readonly actor: Actor
  readonly username: string
  readonly email: string
  readonly password: string
}

/** A member who is logged in at their browser. */
export interface Member extends Person, Account {}

interface Mail extends OutboxMail {
  /** The URL of the mail's first link at the end of a line. */
  readonly link: string
}

export interface World {
  visitor(): Promise<Person>
  /** Registers a member through the API, by a name that is made unique. */
  account(name: string): Promise<Account>
  /** Registers a member like `account` and logs them in at a browser. */
  member(name: string): Promise<Member>
  /** Returns a username that no member has. */
  uniqueName(name: string): string
  /** Waits for a mail to this address that contains these words. */
  mailTo(email: string, words: string): Promise<Mail>
  /** Runs `npm run admin -- command argument`. */
  administer(command: string, argument: string): Promise<void>
}

/** All tests share one server, so each person has a unique name and their own browser context. */
export const test = base.extend<{ world: World }, { contexts: ContextPool }>({
  contexts: [
    async ({ browser }, use) => {
      const pool = new ContextPool(browser)
      await use(pool)
      await pool.close()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ browserName: _ }, use) => use(url()),

  world: async ({ browser, contexts, viewport, isMobile, hasTouch, serviceWorkers }, use, info) => {
    const people: (MonitoredPerson & { close(): Promise<void> })[] = []
    // Some files have a site of their own.
    const options = JSON.stringify({ url: url(), viewport, isMobile, hasTouch })
    const open = async (storage: Record<string, string> = {}) => {
      // A service worker outlives its pages.
      if (serviceWorkers === 'allow') {
        const localStorage = Object.entries(storage).map(([name, value]) => ({ name, value }))
        const storageState = { cookies: [], origins: [{ origin: url(), localStorage }] }
        const context = await browser.newContext({ baseURL: url(), storageState })
        const person = await monitor(await context.newPage())
        people.push({ ...person, close: () => context.close() })
        return person
      }
      const pooled = await contexts.take(url(), options, storage)
      const person = await monitor(pooled.page)
      const close = () => contexts.release(pooled, info.status === info.expectedStatus)
      people.push({ ...person, close })
      return person
    }
    await use({
      visitor: () => open(),
      account: register,
      member: async (name) => {
        const account = await register(name)
        return { ...(await open({ auth: loginRecord(account.actor) })), ...account }
      },
      uniqueName,
      mailTo,
      administer: (command, argument) => administer(dataDir(), command, argument),
    })
    const unexpectedErrors = people.flatMap((person) => person.unexpectedErrors())
    await Promise.all(people.map(({ close }) => close()))
    expect(unexpectedErrors).toEqual([])
  },
})

export async function register(name: string): Promise<Account> {
  const actor = new Actor(url())
  await actor.join({ username: uniqueName(name), first_name: capitalize(name) })
  const { username, email, password } = actor
  return { actor, username, email, password }
}

interface MonitoredPerson extends Person {
  readonly unexpectedErrors: () => string[]
}

/** Records errors, warnings, violations of the content security policy and failed requests of a page's context. */
async function monitor(page: Page): Promise<MonitoredPerson> {
  const context = page.context()
  const seen: string[] = []
  const expected: (string | RegExp)[] = []
  const recordError = (failure: WebError) => seen.push(`error: ${failure.error().message}`)
  const recordMessage = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (isDeletedPhoto(message)) return
    seen.push(`console: ${message.text()} (${message.location().url})`)
  }
  const recordFailure = (request: Request) => {
    // A navigation aborts the pending requests of the previous page.
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') seen.push(`request: ${request.url()} ${reason}`)
  }
  context.on('weberror', recordError).on('console', recordMessage).on('requestfailed', recordFailure)
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`The policy forbids ${violatedDirective}: ${blockedURI} in ${sourceFile}`)
    })
  })
  if (!Object.hasOwn(page, 'route')) {
    const route: Page['route'] = page.route.bind(page)
    page.route = async (...call) => {
      await renderInBrowser(context)
      return route(...call)
    }
  }
  return {
    page,
    allowErrors: (...parts) => expected.push(...parts),
    unexpectedErrors() {
      context.off('weberror', recordError).off('console', recordMessage).off('requestfailed', recordFailure)
      return seen.filter(
        (line) =>
          !expected.some((part) => (typeof part === 'string' ? line.includes(part) : part.test(line))),
      )
    },
  }
}

/**
 * Makes the server render the next pages without member data, so that the browser fetches it and a test can intercept all
 * calls. The server knows a page's member by the cookie only.
 */
export async function renderInBrowser(context: BrowserContext) {
  const writeNoCookie = () => {
    Object.defineProperty(document, 'cookie', { get: () => '', set() {}, configurable: true })
  }
  await context.addInitScript(writeNoCookie)
  // Open pages that are still loading would write the cookie again.
  await Promise.all(context.pages().map((page) => page.evaluate(writeNoCookie)))
  await context.clearCookies()
}

/**
 * Cuts pages that are loaded later off from the events of the server. The context pool can undo this, unlike a route of Playwright for
 * web sockets.
 */
export async function cutSockets(page: Page, server: 'refuses connections' | 'does not answer') {
  await page.addInitScript((isRefused) => {
    // Only the members that Socket.IO uses.
    class CutSocket {
      onopen?: (event: Event) => void
      onclose?: (event: CloseEvent) => void
      constructor() {
        setTimeout(() => (isRefused ? this.close() : this.onopen?.(new Event('open'))))
      }
      send() {}
      close() {
        this.onclose?.(new CloseEvent('close'))
      }
    }
    Object.defineProperty(window, 'WebSocket', { value: CutSocket })
  }, server === 'refuses connections')
}

/** Returns whether a photo of the shared marketplace is missing because another test deleted its listing. */
function isDeletedPhoto(message: ConsoleMessage): boolean {
  const isPhoto = message.location().url.startsWith(`${url()}/api/images/`)
  return isPhoto && message.text().includes('404') && /\/listings(\?|$)/.test(message.page()?.url() ?? '')
}

/** Returns the record `auth` that local storage holds of a login. */
export function loginRecord({ token, id, username }: Actor, expiresAt = Date.now() + loginLifetimeMs) {
  return JSON.stringify({ token, user: { id, username }, expiresAt })
}

async function mailTo(email: string, words: string): Promise<Mail> {
  const findMail = async () => {
    const mails = await readOutbox(join(dataDir(), 'outbox'))
    return mails.find(({ to, subject, text }) => to === email && `${subject}\n${text}`.includes(words))
  }
  await expect.poll(findMail, { message: `"${words}" for ${email}`, timeout: 15_000 }).toBeDefined()
  const mail = await findMail()
  const link = /: (https?:\S+)$/m.exec(mail?.text ?? '')?.[1]
  if (mail === undefined || link === undefined) throw new Error(`"${words}" for ${email} has no link`)
  return { ...mail, link }
}

function uniqueName(name: string) {
  return `${name}_${crypto.randomUUID().slice(0, 8)}`
}

function capitalize(name: string) {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** The window sizes of layout tests. Tests start with the phone's. */
export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 900 }

/** Runs a test in `npm run test:long` only: `test('…', long, async …)`. */
export const long = { tag: '@long' }

/**
 * Clicks 'Try again' and lets the calls through that follow the click. Earlier calls keep failing: a background refetch
 * would remove the button otherwise.
 */
export async function clickTryAgain(page: Page, calls: string | RegExp) {
  await page.evaluate(() => {
    window.isClicked = false
    // Ignores a click that misses the button because the layout moved. Playwright clicks again.
    const isOnButton = ({ target }: Event) => target instanceof Element && target.closest('button') !== null
    window.addEventListener(
      'click',
      (event) => isOnButton(event) && Object.assign(window, { isClicked: true }),
      {
        capture: true,
      },
    )
  })
  let isClicked = false
  await page.route(calls, async (route) => {
    isClicked ||= await page.evaluate(() => window.isClicked)
    return isClicked ? route.continue() : route.fallback()
  })
  await page.getByRole('button', { name: 'Try again' }).first().click()
}

/** Opens another screen without loading a page, as a link does. */
export async function navigate(page: Page, path: string) {
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await page.evaluate((path) => history.pushState(null, '', path), path)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
}

/** Optional axe rules for WCAG 2.2 and best practices. */
const optionalRules = [
  'css-orientation-lock',
  'focus-order-semantics',
  'label-content-name-mismatch',
  'p-as-heading',
  'target-size',
]
/** Half the size of `axe.source`. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const rules = Object.fromEntries(optionalRules.map((rule) => [rule, { enabled: true }]))

declare global {
  interface Window {
    axe: typeof axe
    isClicked: boolean
  }
}

/** Opens a link in a new tab with the modifier key, and returns the tab. */
export async function openTab(link: Locator): Promise<Page> {
  const [tab] = await Promise.all([
    link.page().context().waitForEvent('page'),
    link.click({ modifiers: ['ControlOrMeta'] }),
  ])
  return tab
}

/** Pauses in milliseconds before a violation is checked again: during a navigation axe may see parts of two screens. */
const recheckAfterMs = [300, 1500]

/** Fails with the violations that axe finds on the page, except in the elements that the selector `exclude` matches. */
export async function expectAccessible(page: Page, where = new URL(page.url()).pathname, exclude?: string) {
  await expectNoViolations(page, `axe at ${where}`, { rules }, exclude)
}

/** Fails with the texts that axe finds hard to read in the dark theme. */
export async function expectReadableInTheDark(page: Page, where = new URL(page.url()).pathname) {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolations(page, `contrast in the dark at ${where}`, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNoViolations(page: Page, where: string, options: axe.RunOptions, exclude?: string) {
  let found = await violationsOn(page, options, exclude)
  for (const pause of recheckAfterMs) {
    if (found.length === 0) return
    await sleep(pause)
    found = await violationsOn(page, options, exclude)
  }
  expect.soft(found, where).toEqual([])
}

async function violationsOn(page: Page, options: axe.RunOptions, exclude?: string) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(
    async ({ exclude, options }) => {
      // Content below a sticky bar can be scrolled into view.
      const bars = [...document.querySelectorAll<HTMLElement>('header')].filter((element) =>
        ['fixed', 'sticky'].includes(getComputedStyle(element).position),
      )
      for (const bar of bars) bar.style.position = 'static'
      // Check only an open modal dialog, because the rest of the page is inert.
      const dialog = document.querySelector('dialog:modal')
      const context = dialog ?? (exclude === undefined ? document : { exclude: [exclude] })
      const found = await window.axe.run(context, options)
      for (const bar of bars) bar.style.position = ''
      return found.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        where: nodes.map(({ target }) => target.join(' ')),
      }))
    },
    { exclude, options: { ...options, resultTypes: ['violations'] } satisfies axe.RunOptions },
  )
}
