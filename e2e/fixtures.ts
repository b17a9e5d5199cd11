import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { loginLifetimeMs } from '#contract/constants.ts'
import { type OutboxMail, readOutbox } from '#server/platform/mail.ts'
import { Actor } from '#test/actor.ts'
import { administer } from './global-setup.ts'

export { expect } from '@playwright/test'

// biome-ignore lint/style/noProcessEnv: the global set-up leaves the address here
const url = () => process.env.RHUBARB_URL ?? ''

// biome-ignore lint/style/noProcessEnv: the same for the server's folder
const dataDir = () => process.env.RHUBARB_DATA ?? ''

/** Somebody at a browser of their own. */
export interface Person {
  readonly page: Page
  /** Announces what goes wrong on purpose, by a part of what the browser says of it. */
  expectTrouble(...parts: (string | RegExp)[]): void
}

/** A member at their browser, logged in there. `actor` calls the API as them, past the browser. */
export interface Member extends Person {
  readonly actor: Actor
  readonly username: string
  readonly email: string
  readonly password: string
}

interface Mail extends OutboxMail {
  /** The address of what the mail asks to do. */
  readonly link: string
}

export interface Garden {
  visitor(): Promise<Person>
  /** Registers a member through the API, by a name that is made unique. */
  member(name: string): Promise<Member>
  /** A username nobody has. */
  uniqueName(name: string): string
  /** Waits for a mail to this address that holds these words. */
  mailTo(email: string, words: string): Promise<Mail>
  /** Runs `npm run admin -- command argument`. */
  administer(command: string, argument: string): Promise<void>
}

/** The tests share one server, so whoever comes has a name and a browser of their own. */
export const test = base.extend<{ garden: Garden }>({
  baseURL: async ({ browserName: _ }, use) => use(url()),

  garden: async ({ browser }, use) => {
    const people: Watched[] = []
    const open = async (storage?: Storage) => {
      const person = await watched(browser, storage)
      people.push(person)
      return person
    }
    await use({
      visitor: () => open(),
      member: async (name) => {
        const actor = new Actor(url())
        await actor.join({ username: uniqueName(name), first_name: capital(name) })
        const person = await open(loggedIn(actor))
        return {
          ...person,
          actor,
          username: actor.username,
          email: actor.email,
          password: actor.password,
        }
      },
      uniqueName,
      mailTo,
      administer: (command, argument) => administer(dataDir(), command, argument),
    })
    for (const { troubles } of people) expect(troubles()).toEqual([])
    await Promise.all(people.map(({ page }) => page.context().close()))
  },
})

interface Watched extends Person {
  readonly troubles: () => string[]
}

/** A browser of its own that notes every error, violation of the content security policy and failed request. */
async function watched(browser: Browser, storageState?: Storage): Promise<Watched> {
  const context = await browser.newContext({ baseURL: url(), ...(storageState && { storageState }) })
  const seen: string[] = []
  const expected: (string | RegExp)[] = []
  context.on('weberror', (failure) => seen.push(`error: ${failure.error().message}`))
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (isGonePhoto(message)) return
    seen.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('requestfailed', (request) => {
    // A navigation drops what the page before it was still loading.
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') seen.push(`request: ${request.url()} ${reason}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`The policy forbids ${violatedDirective}: ${blockedURI} in ${sourceFile}`)
    })
  })
  const page = await context.newPage()
  const route: Page['route'] = page.route.bind(page)
  page.route = async (...call) => {
    await renderInBrowser(context)
    return route(...call)
  }
  return {
    page,
    expectTrouble: (...parts) => expected.push(...parts),
    troubles: () =>
      seen.filter(
        (line) =>
          !expected.some((part) => (typeof part === 'string' ? line.includes(part) : part.test(line))),
      ),
  }
}

/**
 * Has the next pages come without the member's data, which the browser then asks for: a test that intercepts calls sees
 * them all. The server knows the member of a page by the cookie only.
 */
export async function renderInBrowser(context: BrowserContext) {
  const writeNoCookie = () => {
    Object.defineProperty(document, 'cookie', { get: () => '', set() {}, configurable: true })
  }
  await context.addInitScript(writeNoCookie)
  // A page that is still starting would write it once more.
  await Promise.all(context.pages().map((page) => page.evaluate(writeNoCookie)))
  await context.clearCookies()
}

/** All tests share the marketplace, where another's listing may go before its photo is asked for. */
function isGonePhoto(message: ConsoleMessage): boolean {
  const isPhoto = message.location().url.startsWith(`${url()}/api/images/`)
  return isPhoto && message.text().includes('404') && /\/listings(\?|$)/.test(message.page()?.url() ?? '')
}

interface Storage {
  cookies: []
  origins: { origin: string; localStorage: { name: string; value: string }[] }[]
}

/** The login as the browser keeps it. */
function loggedIn({ token, id, username }: Actor): Storage {
  const auth = { token, user: { id, username }, expiresAt: Date.now() + loginLifetimeMs }
  return {
    cookies: [],
    origins: [{ origin: url(), localStorage: [{ name: 'auth', value: JSON.stringify(auth) }] }],
  }
}

async function mailTo(email: string, words: string): Promise<Mail> {
  const queryWords = async () => {
    const mails = await readOutbox(join(dataDir(), 'outbox'))
    return mails.find(({ to, subject, text }) => to === email && `${subject}\n${text}`.includes(words))
  }
  await expect.poll(queryWords, { message: `"${words}" for ${email}`, timeout: 15_000 }).toBeDefined()
  const mail = await queryWords()
  const link = /: (https?:\S+)$/m.exec(mail?.text ?? '')?.[1]
  if (mail === undefined || link === undefined) throw new Error(`"${words}" for ${email} has no link`)
  return { ...mail, link }
}

function uniqueName(name: string) {
  return `${name}_${crypto.randomUUID().slice(0, 8)}`
}

function capital(name: string) {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** For a test of how a screen is laid out: `test('…', bothSizes, async …)` runs on a phone and on a desktop, others on a phone only. */
export const bothSizes = { tag: '@desktop' }

/** Says what holds for every test without `bothSizes`. */
export const once = { tag: '@once' }

/**
 * Presses 'Try again' where calls are refused, and has those answered that the press causes. Until then they are refused
 * as before: a list renews itself now and then, and would take the button away.
 */
export async function askAgain(page: Page, calls: string | RegExp) {
  await page.evaluate(() => {
    window.isPressed = false
    // A click that the button has just moved away from is no press, and is tried again.
    const press = ({ target }: Event) => target instanceof Element && target.closest('button') !== null
    window.addEventListener('click', (event) => press(event) && Object.assign(window, { isPressed: true }), {
      capture: true,
    })
  })
  let isPressed = false
  await page.route(calls, async (route) => {
    isPressed ||= await page.evaluate(() => window.isPressed)
    return isPressed ? route.continue() : route.fallback()
  })
  await page.getByRole('button', { name: 'Try again' }).click()
}

/** Optional axe rules for WCAG 2.2 and best practices. */
const moreRules = [
  'css-orientation-lock',
  'focus-order-semantics',
  'label-content-name-mismatch',
  'p-as-heading',
  'target-size',
]
const rules = Object.fromEntries(moreRules.map((rule) => [rule, { enabled: true }]))

declare global {
  interface Window {
    axe: typeof axe
    isPressed: boolean
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

/** Between two screens axe may see half of each: what it finds has to last so many milliseconds. */
const lastingMs = [300, 1500]

/** Fails with what axe finds wrong on the page. */
export async function expectAccessible(page: Page) {
  let found = await violationsOn(page)
  for (const pause of lastingMs) {
    if (found.length === 0) return
    await sleep(pause)
    found = await violationsOn(page)
  }
  expect(found).toEqual([])
}

async function violationsOn(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async (options) => {
      // Content below a sticky bar can be scrolled into view.
      const bars = [...document.querySelectorAll<HTMLElement>('header')].filter((element) =>
        ['fixed', 'sticky'].includes(getComputedStyle(element).position),
      )
      for (const bar of bars) bar.style.position = 'static'
      const found = await window.axe.run(document, options)
      for (const bar of bars) bar.style.position = ''
      return found.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        where: nodes.map(({ target }) => target.join(' ')),
      }))
    },
    { rules, resultTypes: ['violations'] } satisfies RunOptions,
  )
}
