import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import {
  desktop,
  expect,
  expectAccessible,
  expectReadableInTheDark,
  long,
  phone,
  renderInBrowser,
  test,
  type World,
} from './fixtures.ts'
import { guestScreens } from './guest-screens.ts'
import { expectNoLayoutFaults } from './layout-faults.ts'
import { expectInMarkup, loginCookie } from './markup.ts'
import { memberScreens } from './member-screens.ts'
import { createInvite, createSampleData } from './sample-data.ts'
import { closeDialog, expectShown, expectWords, type Screen } from './screens.ts'

// Each test opens many screens.
test.describe.configure({ timeout: 180_000 })

/** A window of 1280×900 at a zoom of 200 %. */
const zoomed = { width: 640, height: 450 }
/** A window 1280 pixels wide at a zoom of 400 %. */
const narrow = { width: 320, height: 640 }

/** The text spacing of WCAG 1.4.12. */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`

/** Old addresses, which redirect. routes.spec.ts tests them. */
const redirectingRoutes = [
  '/editlisting/$id',
  '/my-friend-listing',
  '/my-listings-old',
  '/my-listings/$id',
  '/old-profile',
]

/** The routes that show members no link to their notifications. */
const withoutBell = ['/', '/not-found', '/personal-info', '/invite-your-friends']

function setRules(page: Page, rules: string) {
  return page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, rules)
}

/** Loads a screen and waits until it is hydrated. */
async function openScreen(page: Page, { at, shows }: Screen) {
  await page.setViewportSize(phone)
  await page.goto(at)
  await expectShown(page, shows)
  await expect(page).toHaveURL(at)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
}

/** Checks a screen and its dialogs with axe on a phone, their contrast in the dark, and its layout with larger text. */
async function checkScreen(page: Page, screen: Screen, hasBell = false) {
  const { at, words = [], more = {} } = screen
  await openScreen(page, screen)
  await expectWords(page, words)
  await expectAccessible(page, at)
  await expectReadableInTheDark(page, at)
  if (hasBell) {
    const bell = page.getByRole('link', { name: 'Notifications' })
    await expect(bell, `the bell at ${at}`).toBeInViewport({ ratio: 1 })
  }
  await setRules(page, 'html { font-size: 200% }')
  await expectNoLayoutFaults(page, `${at} with a text twice as large`)
  await setRules(page, '')
  for (const [name, open] of Object.entries(more)) {
    await open(page)
    await expectAccessible(page, `${at}, ${name}`)
    await expectReadableInTheDark(page, `${at}, ${name}`)
    await closeDialog(page)
  }
}

/** Checks a screen with axe on a desktop, and its layout with wider text and with its dialogs in narrow and zoomed windows. */
async function checkSizes(page: Page, screen: Screen) {
  const { at, more = {} } = screen
  await openScreen(page, screen)
  await setRules(page, spacing)
  await expectNoLayoutFaults(page, `${at} with wide spacing`)
  await setRules(page, '')
  await page.setViewportSize(desktop)
  await expectAccessible(page, `${at} on a desktop`)
  await page.setViewportSize(zoomed)
  await expectNoLayoutFaults(page, `${at} at 640`)
  await page.setViewportSize(narrow)
  await expectNoLayoutFaults(page, `${at} at 320`)
  for (const [name, open] of Object.entries(more)) {
    await open(page)
    await expectNoLayoutFaults(page, `${at}, ${name}, at 320`)
    await closeDialog(page)
  }
}

declare global {
  interface Window {
    refuseCalls(): void
  }
}

/**
 * Holds each page's calls back until `refuseCalls`, which answers them with 403 until 'Try again' is pressed. A route of Playwright
 * would turn the HTTP cache off.
 */
async function holdCallsBack(context: BrowserContext) {
  await context.addInitScript(() => {
    const refusal = new Promise<void>((resolve) => {
      window.refuseCalls = resolve
    })
    let isPressed = false
    const onClick = ({ target }: Event) => {
      isPressed ||= target instanceof Element && target.closest('button')?.textContent === 'Try again'
    }
    addEventListener('click', onClick, { capture: true })
    const load = window.fetch
    window.fetch = async (resource, init) => {
      const url = resource instanceof Request ? resource.url : resource
      if (!new URL(url, location.href).pathname.startsWith('/api/')) return load(resource, init)
      await refusal
      return isPressed ? load(resource, init) : Response.json({}, { status: 403 })
    }
  })
}

/** Creates members with data on every screen. The server renders the pages of Ann with her data. */
async function createRenderedData(world: World, baseURL: string | undefined) {
  const data = await createSampleData(world)
  await data.ann.page.context().addCookies([loginCookie(data.ann.actor, baseURL)])
  return data
}

/** Checks a screen while it loads, when nothing may be animated (reduced motion), after its calls have failed, and after 'Try again'. */
async function checkStates(page: Page, { at, shows, fails = '' }: Screen, withAxe: boolean) {
  await page.goto(at)
  await expectShown(page, 'Loading')
  expect(await page.evaluate(() => document.getAnimations().length), `what moves at ${at}`).toBe(0)
  if (withAxe) await expectAccessible(page, `${at}, loading`)
  await page.evaluate(() => window.refuseCalls())
  await expectShown(page, fails)
  if (withAxe) await expectAccessible(page, `${at}, failed`)
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expectShown(page, shows)
}

/** Returns the first screen of each error text. Screens with the same text show the same components. */
function withDistinctFailures(screens: readonly Screen[]): Screen[] {
  const first = new Map<string, Screen>()
  for (const screen of screens)
    if (screen.fails !== undefined && !first.has(screen.fails)) first.set(screen.fails, screen)
  return [...first.values()]
}

/** The screens of members are checked in shards that run in parallel. */
const shardCount = 2
const shards = Array.from({ length: shardCount }, (_, shard) => shard)
const isInShard = (shard: number) => (_: unknown, index: number) => index % shardCount === shard

/** Returns the screens of members. The browser allows the errors of Ann's screens. */
async function openMemberScreens(world: World, baseURL: string | undefined) {
  const data = await createRenderedData(world, baseURL)
  // The screens of an id that does not exist get 404, and leaving a page closes its socket. Any other error fails the test.
  data.ann.allowErrors(/404.*\/999999999/, '/socket.io/')
  const screens = Object.entries(memberScreens(data)).flatMap(([route, screens]) =>
    screens.map((screen) => ({ screen, hasBell: !withoutBell.includes(route) })),
  )
  return { page: data.ann.page, screens }
}

async function openGuestScreens(world: World) {
  const { page, allowErrors } = await world.visitor()
  allowErrors(/status of 404.*\/(no-such-page|invited\?invite=some)/)
  return { page, screens: Object.values(guestScreens(await createInvite(world))).flat() }
}

test('the screens of guests pass axe on a phone, light and dark, and fit with text of 200 %', async ({
  world,
}) => {
  const { page, screens } = await openGuestScreens(world)
  for (const screen of screens) if (!screen.isVariant) await checkScreen(page, screen)
})

test(
  'the screens of guests pass axe on a desktop, at any width and with wide spacing',
  long,
  async ({ world }) => {
    const { page, screens } = await openGuestScreens(world)
    for (const screen of screens) await checkSizes(page, screen)
  },
)

for (const shard of shards) {
  test(`the screens of members pass axe on a phone, light and dark, and fit with text of 200 %: shard ${shard + 1}`, async ({
    world,
    baseURL,
  }) => {
    const { page, screens } = await openMemberScreens(world, baseURL)
    const main = screens.filter(({ screen }) => !screen.isVariant)
    for (const { screen, hasBell } of main.filter(isInShard(shard))) await checkScreen(page, screen, hasBell)
  })

  test(
    `the screens of members pass axe on a desktop, at any width and with wide spacing: shard ${shard + 1}`,
    long,
    async ({ world, baseURL }) => {
      const { page, screens } = await openMemberScreens(world, baseURL)
      for (const { screen } of screens.filter(isInShard(shard))) await checkSizes(page, screen)
    },
  )
}

test(
  'the variants of screens pass axe on a phone, and fit with text of 200 %',
  long,
  async ({ world, baseURL }) => {
    const [guest, member] = [await openGuestScreens(world), await openMemberScreens(world, baseURL)]
    for (const screen of guest.screens) if (screen.isVariant) await checkScreen(guest.page, screen)
    for (const { screen, hasBell } of member.screens)
      if (screen.isVariant) await checkScreen(member.page, screen, hasBell)
  },
)

/** Returns the screens of a member whose browser loads all data and holds the calls back. */
async function openHeldScreens(world: World) {
  const data = await createSampleData(world)
  const { page, allowErrors } = data.ann
  // Without the cookie no photo loads.
  allowErrors('/socket.io/', /status of 401.*\/api\/images\//)
  await renderInBrowser(page.context())
  await holdCallsBack(page.context())
  return { page, screens: Object.values(memberScreens(data)).flat() }
}

test("the screens of members pass axe while they load and after their calls have failed, and load at 'Try again'", async ({
  world,
}) => {
  const { page, screens } = await openHeldScreens(world)
  for (const screen of withDistinctFailures(screens)) await checkStates(page, screen, true)
})

test(
  "every screen of members shows that it loads, and its error, and loads at 'Try again'",
  long,
  async ({ world }) => {
    const { page, screens } = await openHeldScreens(world)
    for (const screen of screens) if (screen.fails !== undefined) await checkStates(page, screen, false)
  },
)

// The tests of each screen have its text without data.
test('the screens of a member without data say so, and pass axe', long, async ({ world }) => {
  const { page } = await world.member('newcomer')
  const screens = Object.values(memberScreens(await createSampleData(world))).flat()
  for (const { at, empty } of screens) {
    if (empty === undefined) continue
    await page.goto(at)
    await expectShown(page, empty)
    await expectAccessible(page, `${at}, empty`)
  }
})

const routesFolder = join(import.meta.dirname, '../web/routes')

/** Returns the paths of all routes, read from the names of their files. */
function routePaths(): string[] {
  const paths = readdirSync(routesFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !/(^|\/)-|^__root|^index\.tsx|^_members\.tsx/.test(file))
    .map((file) => `/${file.replace(/^_members\//, '').replace(/\.tsx$/, '')}`)
    .map((name) =>
      name
        .replaceAll('.', '/')
        // A layout without a path of its own.
        .replaceAll(/\/_[^/]+/g, '')
        .replaceAll('_/', '/')
        .replace(/\/index$/, ''),
    )
  // A layout has the path of its index.
  return [...new Set(paths)]
}

test('every screen of members has its data in the server-rendered HTML, and a unique title', async ({
  world,
  baseURL,
}) => {
  const data = await createRenderedData(world, baseURL)
  const { page } = data.ann
  const screens = memberScreens(data)
  const ofGuests = Object.keys(guestScreens(''))
  const known = new Set([...ofGuests, ...Object.keys(screens), ...redirectingRoutes])
  expect(routePaths().filter((path) => !known.has(path))).toEqual([])

  const titles = new Map<string, string>()
  for (const [route, variants] of Object.entries(screens))
    for (const { at, shows, renders = shows } of variants) {
      // Guests' screens have no data, and one of an id that doesn't exist shows its error in the browser only.
      if (ofGuests.includes(route) || at.endsWith('/999999999')) continue
      const title = /<title>(.*?)<\/title>/.exec(await expectInMarkup(page, at, renders))?.[1] ?? ''
      expect(title, at).not.toBe('')
      expect(titles.get(title) ?? route, `the route with the title “${title}”`).toBe(route)
      titles.set(title, route)
    }

  await test.step('a page renders with any query string', async () => {
    for (const [at, shows] of [
      ['/listings?tab=friends&category=nonsense&utm_source=mail', 'Skirret roots'],
      ['/listings?tab=friends&category=produce&show=exchange&order=oldest&min=&max=x', 'Skirret roots'],
      ['/my-listings?tab=%00&tab=want&tab=', 'Strawberry runners'],
      ['/have-want-search?q=skirret&unknown=1', 'Skirret roots'],
      ['/profile?%E0%A4%A', 'Portland, OR 97214'],
      [`/seller/${data.bob.actor.id}?__proto__=1&constructor=2&tab=sale`, 'Tomatoes'],
    ] as const) {
      await expectInMarkup(page, at, shows)
      await page.goto(at)
      await expectShown(page, shows)
    }
  })
})

test('forced colors keep selected, checked, unread and invalid states visible', async ({ world }) => {
  const { ann, bob } = await createSampleData(world)
  const { page } = ann
  await page.emulateMedia({ forcedColors: 'active' })
  const [highlight, canvasText] = await page.evaluate(() => {
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
    highlight ?? '',
    { pseudo: 'after' },
  )
  const publicSwitch = page.getByRole('switch').first()
  await publicSwitch.press('Space')
  await expect(publicSwitch).toBeChecked()
  await expect(publicSwitch.locator('+ *')).toHaveCSS('background-color', highlight ?? '')
  await expect(page.getByRole('switch').last().locator('+ *')).not.toHaveCSS(
    'background-color',
    highlight ?? '',
  )
  await page.getByRole('checkbox', { name: 'public' }).press('Space')
  await expect(page.getByRole('checkbox', { name: 'public' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'public' }).locator('+ *')).toHaveCSS(
    'background-color',
    highlight ?? '',
  )

  await page.goto('/listings?category=produce')
  await expect(page.getByRole('button', { name: 'produce' })).toHaveCSS('border', `3px solid ${highlight}`)
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
  await expect(unread).toHaveCSS('background-color', highlight ?? '')
  await page.goto(`/messages/${bob.actor.id}`)
  await expect(page.getByText('I come by after six.').locator('..')).toHaveCSS(
    'border',
    `1px solid ${canvasText}`,
  )

  await page.goto('/listings/new')
  await page.getByRole('button', { name: 'post' }).click()
  await expect(page.getByLabel('Item name')).toBeFocused()
  await expect(page.getByLabel('Item name')).toHaveCSS('border-width', '3px')
  await expect(page.getByLabel('Item name')).toHaveCSS('outline-width', '3px')
})
