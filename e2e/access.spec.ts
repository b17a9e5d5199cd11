import type { BrowserContext, Page } from '@playwright/test'
import { bothSizes, expect, expectAccessible, once, renderInBrowser, test } from './fixtures.ts'
import { expectInMarkup, loginCookie } from './markup.ts'
import { arrive, guestScreens, leadingOn, leave, memberScreens, routePaths, type Screen } from './screens.ts'
import { inviteOf, newTown } from './town.ts'

// Long walks, so that few pages are opened; a busy machine is no failure.
test.describe.configure({ timeout: 180_000 })

/** Dialogs, menus and what the server renders hardly differ by width, so desktop skips them. */
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) <= 768

/** Returns what the page is called. */
async function look(page: Page, { at, shows, more = {} }: Screen): Promise<string> {
  await page.goto(at)
  await arrive(page, shows)
  await expect(page).toHaveURL(at)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await test.step(at, () => expectAccessible(page))
  const title = await page.title()
  if (!isPhone(page)) return title
  for (const [name, open] of Object.entries(more)) {
    await open(page)
    await test.step(`${at}, ${name}`, () => expectAccessible(page))
    await leave(page)
  }
  return title
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

test('axe finds nothing on any screen of a visitor', async ({ garden }) => {
  const { page, expectTrouble } = await garden.visitor()
  expectTrouble(/status of 404.*\/no-such-page/)
  for (const screen of Object.values(guestScreens(await inviteOf(garden))).flat()) await look(page, screen)
})

test(
  'every screen of a member has its data in the markup, hydrates without a message, stays at its address, and has its own title; axe finds nothing there, in any dialog, or in a form that is filled in wrong',
  bothSizes,
  async ({ garden, baseURL }) => {
    const town = await newTown(garden)
    const { page } = town.ann
    await page.context().addCookies([loginCookie(town.ann.actor, baseURL)])
    const screens = memberScreens(town)
    const ofGuests = Object.keys(guestScreens(''))
    const known = new Set([...ofGuests, ...Object.keys(screens), ...leadingOn])
    expect(routePaths().filter((path) => !known.has(path))).toEqual([])

    // No member has this id. Any other 404 fails the test.
    town.ann.expectTrouble(/404.*\/999999999/)
    const titles = new Map<string, string>()
    for (const [route, places] of Object.entries(screens))
      for (const place of places) {
        const { at, shows, renders = shows } = place
        // The API answers 404 for ids that don't exist, so the browser fetches again and shows the error.
        const isRendered = !ofGuests.includes(route) && !at.endsWith('/999999999')
        if (isPhone(page) && isRendered) await expectInMarkup(page, at, renders)
        const title = await look(page, place)
        expect(titles.get(title) ?? route, title).toBe(route)
        titles.set(title, route)
      }
  },
)

test(
  'axe finds nothing while a screen waits, where it fails, and where there is nothing yet; and nothing moves that need not',
  once,
  async ({ garden }) => {
    const town = await newTown(garden)
    const newcomer = await garden.member('newcomer')
    const { page } = town.ann
    town.ann.expectTrouble('/socket.io/')
    await renderInBrowser(page.context())
    await holdCalls(page.context())
    for (const { at, fails, empty } of Object.values(memberScreens(town)).flat()) {
      if (fails !== undefined) {
        await page.goto(at)
        await arrive(page, 'Loading')
        await test.step(`${at}, waiting`, () => expectAccessible(page))
        expect(await page.evaluate(() => document.getAnimations().length), `what moves at ${at}`).toBe(0)
        await page.evaluate(() => window.refuseCalls())
        await arrive(page, fails)
        await test.step(`${at}, failed`, () => expectAccessible(page))
      }
      if (empty !== undefined) {
        await newcomer.page.goto(at)
        await arrive(newcomer.page, empty)
        await test.step(`${at}, empty`, () => expectAccessible(newcomer.page))
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
