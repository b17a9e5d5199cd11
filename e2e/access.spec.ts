import type { BrowserContext, Page } from '@playwright/test'
import { expectRoom } from './crowded.ts'
import { expect, expectAccessible, once, renderInBrowser, test } from './fixtures.ts'
import { expectInMarkup, loginCookie } from './markup.ts'
import { arrive, guestScreens, leadingOn, leave, memberScreens, routePaths, type Screen } from './screens.ts'
import { inviteOf, newTown } from './town.ts'

// Long walks, so that few pages are opened; a busy machine is no failure.
test.describe.configure({ timeout: 180_000 })

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }
/** A window of 1280×900 at 200 %, and one as narrow as 1280 at 400 %. */
const zoomed = { width: 640, height: 450 }
const narrow = { width: 320, height: 640 }

/** As wide as WCAG 1.4.12 says a reader may set a text. */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`

/** The routes of a member without the navigation of the rest. */
const withoutNavigation = ['/', '/not-found', '/personal-info', '/invite-your-friends']

function setRules(page: Page, rules: string) {
  return page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, rules)
}

/** Loads a screen once, and makes every check of how it shows: with axe, narrow, zoomed in, with larger or wider text, and in its dialogs. */
async function check(page: Page, { at, shows, more = {} }: Screen, hasNavigation = false) {
  await page.setViewportSize(phone)
  await page.goto(at)
  await arrive(page, shows)
  await expect(page).toHaveURL(at)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await expectAccessible(page, at)
  if (hasNavigation) {
    const bell = page.getByRole('link', { name: 'Notifications' })
    await expect(bell, `the bell at ${at}`).toBeInViewport({ ratio: 1 })
  }
  await setRules(page, 'html { font-size: 200% }')
  await expectRoom(page, `${at} with a text twice as large`)
  await setRules(page, spacing)
  await expectRoom(page, `${at} with wide spacing`)
  await setRules(page, '')
  await page.setViewportSize(desktop)
  await expectAccessible(page, `${at} on a desktop`)
  await page.setViewportSize(zoomed)
  await expectRoom(page, `${at} at 640`)
  await page.setViewportSize(narrow)
  await expectRoom(page, `${at} at 320`)
  for (const [name, open] of Object.entries(more)) {
    await open(page)
    await expectRoom(page, `${at}, ${name}, at 320`)
    await page.setViewportSize(phone)
    await expectAccessible(page, `${at}, ${name}`)
    await leave(page)
    await page.setViewportSize(narrow)
  }
}

declare global {
  interface Window {
    refuseCalls(): void
  }
}

/** Lets each page's calls wait until `refuseCalls`. Routes of Playwright would fetch all scripts anew for every page. */
async function holdCalls(context: BrowserContext) {
  await context.addInitScript(() => {
    const refusal = new Promise<void>((resolve) => {
      window.refuseCalls = resolve
    })
    const load = window.fetch
    window.fetch = async (resource, init) => {
      const url = resource instanceof Request ? resource.url : resource
      if (!new URL(url, location.href).pathname.startsWith('/api/')) return load(resource, init)
      await refusal
      return Response.json({}, { status: 403 })
    }
  })
}

/** The screens are checked in parts that run side by side. */
const parts = [0, 1, 2, 3]
const partOf = <Item>(items: readonly Item[], part: number) =>
  items.filter((_, index) => index % parts.length === part)

test('the screens of a visitor are accessible and have room for every reader', once, async ({ garden }) => {
  const { page, expectTrouble } = await garden.visitor()
  expectTrouble(/status of 404.*\/no-such-page/)
  for (const screen of Object.values(guestScreens(await inviteOf(garden))).flat()) await check(page, screen)
})

for (const part of parts)
  test(
    `the screens of a member are accessible and have room for every reader, and hydrate without a message: part ${part + 1}`,
    once,
    async ({ garden, baseURL }) => {
      const town = await newTown(garden)
      const { page } = town.ann
      await page.context().addCookies([loginCookie(town.ann.actor, baseURL)])
      // No member has this id. Any other 404 fails the test.
      town.ann.expectTrouble(/404.*\/999999999/)
      const screens = Object.entries(memberScreens(town)).flatMap(([route, screens]) =>
        screens.map((screen) => ({ screen, hasNavigation: !withoutNavigation.includes(route) })),
      )
      for (const { screen, hasNavigation } of partOf(screens, part)) await check(page, screen, hasNavigation)
    },
  )

test(
  'every screen of a member has its data in the markup, and its own title',
  once,
  async ({ garden, baseURL }) => {
    const town = await newTown(garden)
    const { page } = town.ann
    await page.context().addCookies([loginCookie(town.ann.actor, baseURL)])
    const screens = memberScreens(town)
    const ofGuests = Object.keys(guestScreens(''))
    const known = new Set([...ofGuests, ...Object.keys(screens), ...leadingOn])
    expect(routePaths().filter((path) => !known.has(path))).toEqual([])

    const titles = new Map<string, string>()
    for (const [route, places] of Object.entries(screens))
      for (const { at, shows, renders = shows } of places) {
        // The API answers 404 for ids that don't exist, so the browser fetches again and shows the error.
        if (ofGuests.includes(route) || at.endsWith('/999999999')) continue
        const title = /<title>(.*?)<\/title>/.exec(await expectInMarkup(page, at, renders))?.[1] ?? ''
        expect(titles.get(title) ?? route, title).toBe(route)
        titles.set(title, route)
      }
  },
)

for (const part of parts.slice(2))
  test(
    `axe finds nothing while a screen waits, where it fails, and where there is nothing yet; and nothing moves that need not: part ${part - 1}`,
    once,
    async ({ garden }) => {
      const town = await newTown(garden)
      const newcomer = await garden.member('newcomer')
      const { page } = town.ann
      town.ann.expectTrouble('/socket.io/')
      await renderInBrowser(page.context())
      await holdCalls(page.context())
      const screens = Object.values(memberScreens(town)).flat()
      for (const { at, fails, empty } of screens.filter((_, index) => index % 2 === part % 2)) {
        if (fails !== undefined) {
          await page.goto(at)
          await arrive(page, 'Loading')
          await expectAccessible(page, `${at}, waiting`)
          expect(await page.evaluate(() => document.getAnimations().length), `what moves at ${at}`).toBe(0)
          await page.evaluate(() => window.refuseCalls())
          await arrive(page, fails)
          await expectAccessible(page, `${at}, failed`)
        }
        if (empty !== undefined) {
          await newcomer.page.goto(at)
          await arrive(newcomer.page, empty)
          await expectAccessible(newcomer.page, `${at}, empty`)
        }
      }
    },
  )

test(
  "in colors of the reader's own it still shows what is chosen, on, unread, written and wrong",
  once,
  async ({ garden }) => {
    const { ann, bob } = await newTown(garden)
    const { page } = ann
    await page.emulateMedia({ forcedColors: 'active' })
    const [chosen, ink] = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      return ['Highlight', 'CanvasText'].map((color) => {
        probe.style.color = color
        return getComputedStyle(probe).color
      })
    })

    await page.goto('/my-listings')
    const main = page.getByRole('main')
    await expect(main.getByRole('link', { name: 'Have', exact: true })).toHaveCSS(
      'background-color',
      chosen ?? '',
      { pseudo: 'after' },
    )
    const publicSwitch = page.getByRole('switch').first()
    await publicSwitch.press('Space')
    await expect(publicSwitch).toBeChecked()
    await expect(publicSwitch.locator('+ *')).toHaveCSS('background-color', chosen ?? '')
    await expect(page.getByRole('switch').last().locator('+ *')).not.toHaveCSS(
      'background-color',
      chosen ?? '',
    )
    await page.getByRole('checkbox', { name: 'public' }).press('Space')
    await expect(page.getByRole('checkbox', { name: 'public' })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'public' }).locator('+ *')).toHaveCSS(
      'background-color',
      chosen ?? '',
    )

    await page.goto('/listings?category=produce')
    await expect(page.getByRole('button', { name: 'produce' })).toHaveCSS('border', `3px solid ${chosen}`)
    await expect(page.getByRole('link', { name: 'marketplace' })).toHaveCSS('border-top-style', 'solid', {
      pseudo: 'before',
    })
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect(page.locator('label', { hasText: 'newest' })).toHaveCSS('border-width', '3px')
    await expect(page.locator('label', { hasText: 'oldest' })).toHaveCSS('border-width', '1px')
    await expect(page.getByRole('dialog')).toHaveCSS('border-style', 'solid')

    await page.goto('/messages')
    const unread = page
      .getByRole('link', { name: /Good morning/ })
      .locator('[aria-hidden]')
      .last()
    await expect(unread).toHaveCSS('background-color', chosen ?? '')
    await page.goto(`/messages/${bob.actor.id}`)
    await expect(page.getByText('I come by after six.')).toHaveCSS('border', `1px solid ${ink}`)

    await page.goto('/listings/new')
    await page.getByRole('button', { name: 'post' }).click()
    await expect(page.getByLabel('Item name')).toBeFocused()
    await expect(page.getByLabel('Item name')).toHaveCSS('border-width', '3px')
    await expect(page.getByLabel('Item name')).toHaveCSS('outline-width', '3px')
  },
)
