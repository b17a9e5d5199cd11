import type { Locator, Page } from '@playwright/test'
import { desktop, expect, phone, test } from './fixtures.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { befriend } from './sample-data.ts'

const maroon = { primary: 'rgb(107, 26, 48)', dark: 'rgb(74, 15, 32)', light: 'rgb(168, 67, 90)' }
const green = { secondary: 'rgb(36, 80, 58)', light: 'rgb(74, 124, 92)', bright: 'rgb(47, 125, 59)' }
const ink = 'rgb(41, 41, 41)'
const maroonRed = 'rgb(135, 35, 56)'
const white = 'rgb(255, 255, 255)'

/** Returns the computed value of a token: a color, a length or a size. */
async function value(page: Page, property: 'color' | 'width' | 'font-size', token: string): Promise<string> {
  return page.evaluate(
    ([property, token]) => {
      const probe = document.body.appendChild(document.createElement('div'))
      probe.style.setProperty(property, `var(${token})`)
      const computed = getComputedStyle(probe).getPropertyValue(property)
      probe.remove()
      return computed
    },
    [property, token] as const,
  )
}

/** Returns the computed font size of a tag. */
async function fontSizeOf(page: Page, element: string): Promise<string> {
  return page.evaluate((element) => {
    const probe = document.body.appendChild(document.createElement(element))
    const { fontSize } = getComputedStyle(probe)
    probe.remove()
    return fontSize
  }, element)
}

const charcoal = 'rgb(29, 26, 25)'

test('the paper is dark if the system says so, unless the member has chosen, in every tab and on the landing page', async ({
  world,
}) => {
  const { page } = await world.member('ann')
  const paperOf = (page: Page) => expect(page.locator('body'))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/profile/edit')
  await paperOf(page).toHaveCSS('background-color', charcoal)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  const other = await page.context().newPage()
  await other.goto('/listings')

  const appearance = page.getByLabel('Appearance')
  await appearance.selectOption('light')
  await paperOf(page).toHaveCSS('background-color', white)
  await other.emulateMedia({ colorScheme: 'dark' })
  await paperOf(other).toHaveCSS('background-color', white)

  await page.emulateMedia({ colorScheme: 'light' })
  await appearance.selectOption('dark')
  await paperOf(other).toHaveCSS('background-color', charcoal)
  for (const path of ['/', '/listings', '/profile/edit']) {
    await page.goto(path)
    await paperOf(page).toHaveCSS('background-color', charcoal)
  }
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('img', { name: 'Rhubarb', exact: true })).toHaveAttribute(
    'src',
    /lettering-on-dark/,
  )
  await page.goto('/profile/edit')
  await expect(appearance).toHaveValue('dark')
  await appearance.selectOption('')
  await paperOf(page).toHaveCSS('background-color', white)

  // Where the browser stores nothing, the choice lasts as long as the page.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Blocked', 'SecurityError')
    }
  })
  await appearance.selectOption('dark')
  await paperOf(page).toHaveCSS('background-color', charcoal)
})

const width = async (part: Locator) => (await part.boundingBox())?.width

test('the theme has the specified colors, spacing, font and font sizes', async ({ world }) => {
  const { page } = await world.member('ann')
  await page.goto('/post-want')
  const save = page.getByRole('button', { name: 'save' })
  await expect(save).toHaveCSS('background-color', maroon.primary)
  await expect(save).toHaveCSS('color', white)
  for (const [token, color] of [
    ['--primary', maroon.primary],
    ['--primary-dark', maroon.dark],
    ['--primary-light', maroon.light],
    ['--text-on-primary', white],
    ['--secondary', green.secondary],
    ['--secondary-light', green.light],
    ['--secondary-bright', green.bright],
    ['--text', ink],
    ['--text-secondary', maroonRed],
    ['--bg', white],
    ['--paper', white],
  ] as const) {
    expect(await value(page, 'color', token), token).toBe(color)
  }
  const body = page.locator('body')
  await expect(body).toHaveCSS('color', ink)
  await expect(body).toHaveCSS('background-color', white)

  for (const step of [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24])
    expect(await value(page, 'width', `--s${step}`), `--s${step}`).toBe(`${step * 4}px`)

  await expect(body).toHaveCSS('font-family', /Besley.*sans-serif$/)
  await expect(save).toHaveCSS('font-family', /Besley.*sans-serif$/)
  expect(await page.evaluate(() => document.fonts.check('16px Besley'))).toBe(true)

  for (const [at, h1, h2, body1, body2] of [
    [320, 24, '24px', '14px', '12px'],
    [599, 36, '24px', '14px', '12px'],
    [600, 36, '33px', '16px', '14px'],
    [1280, 36, '33px', '16px', '14px'],
  ] as const) {
    await page.setViewportSize({ width: at, height: 844 })
    expect(Number.parseFloat(await fontSizeOf(page, 'h1')), `h1 at ${at}`).toBeCloseTo(h1, 1)
    expect(await fontSizeOf(page, 'h2'), `h2 at ${at}`).toBe(h2)
    expect(await fontSizeOf(page, 'h3'), `h3 at ${at}`).toBe('18px')
    expect(await fontSizeOf(page, 'p'), `body1 at ${at}`).toBe(body1)
    expect(await value(page, 'font-size', '--body2'), `body2 at ${at}`).toBe(body2)
    expect(await value(page, 'font-size', '--caption')).toBe('12px')
    expect(await value(page, 'font-size', '--overline')).toBe('10px')
  }
})

test('bars, the auth card, avatars, the friend list, dialogs and QR codes have the specified sizes', async ({
  world,
}) => {
  const [ann, bob, visitor] = [await world.member('ann'), await world.account('bob'), await world.visitor()]
  await befriend(ann, bob)
  const { page } = ann
  const avatar = (name: string) => page.getByText(name, { exact: true }).first()

  await visitor.page.goto('/login')
  const card = visitor.page.getByRole('main').locator(':scope > *').first()
  for (const size of [phone, desktop]) {
    await visitor.page.setViewportSize(size)
    expect(await width(card)).toBe(360)
  }

  await page.goto('/myfriends')
  const bar = page.getByRole('banner').first()
  for (const [at, position] of [
    [768, 'fixed'],
    [769, 'sticky'],
  ] as const) {
    await page.setViewportSize({ width: at, height: 844 })
    await expect(bar).toHaveCSS('position', position)
    await expect(bar.getByRole('listitem').locator('svg').last()).toHaveCSS('width', '24px')
  }
  await setTextSize(page, '200%')
  for (const at of [769, 844, 920, 1153]) {
    await page.setViewportSize({ width: at, height: 844 })
    await expectNoLayoutFaults(page, `${at} pixels wide with a text of 200 %`)
  }
  await setTextSize(page, '')
  const friends = page.getByRole('list').filter({ has: page.getByRole('link', { name: bob.username }) })
  expect(await width(avatar('b'))).toBe(50)
  for (const size of [{ width: 320, height: 844 }, phone, desktop]) {
    await page.setViewportSize(size)
    await expect(friends).toHaveCSS('grid-template-columns', /^\S+ \S+$/)
  }

  await page.getByRole('button', { name: 'Use QR Code' }).click()
  const dialog = page.getByRole('dialog')
  expect(await width(dialog)).toBe(444)
  expect(await dialog.getByRole('img').boundingBox()).toMatchObject({ width: 200, height: 200 })
  await page.setViewportSize(phone)
  expect(await width(dialog)).toBe(phone.width - 32)

  await page.goto('/profile')
  expect(await width(avatar('A'))).toBe(80)
  await page.goto('/profile/edit')
  expect(await width(avatar('A'))).toBe(230)
})
