import type { Page } from '@playwright/test'
import { getProfile } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { desktop, expect, expectAccessible, long, phone, test, type World } from './fixtures.ts'
import { guestScreens } from './guest-screens.ts'
import { englishTexts, textsOn } from './languages.ts'
import { expectNoLayoutFaults } from './layout-faults.ts'
import { loginCookie } from './markup.ts'
import { memberScreens } from './member-screens.ts'
import { createInvite, createSampleData } from './sample-data.ts'
import type { Screen } from './screens.ts'

// Each test opens many screens.
test.describe.configure({ timeout: 240_000 })

/** Opens a screen and waits until its data is shown. */
async function open(page: Page, at: string) {
  await page.goto(at)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await expect(page.locator('[data-skeleton]')).toHaveCount(0)
}

/** Checks that a screen is Spanish, fits and passes axe. */
async function checkSpanish(page: Page, { at }: Screen, english: readonly RegExp[]) {
  await open(page, at)
  await expect(page.locator('html')).toHaveAttribute('lang', /^es-/)
  const untranslated = async () =>
    (await textsOn(page)).filter((text) => english.some((pattern) => pattern.test(text)))
  await expect.poll(untranslated, `English at ${at}`).toEqual([])
  await expectNoLayoutFaults(page, at)
  await expectAccessible(page, at)
}

/** Legal pages are the operator's, in the language of the operator. */
const isOfOperator = ({ at }: Screen) => ['/terms', '/privacy', '/safety'].includes(at)

async function guestScreensOf(world: World) {
  const screens = Object.values(guestScreens(await createInvite(world))).flat()
  return screens.filter((screen) => screen.isVariant !== true && !isOfOperator(screen))
}

test('the screens of guests are Spanish for a Spanish browser, fit and pass axe', async ({
  world,
  baseURL,
}) => {
  const english = await englishTexts('es')
  const { page, allowErrors } = await world.visitor()
  allowErrors(/status of 404.*\/(no-such-page|invited\?invite=some)/)
  await page.context().addCookies([{ name: 'lang', value: 'es', url: baseURL ?? '' }])
  for (const screen of await guestScreensOf(world)) await checkSpanish(page, screen, english)
})

test('the screens of a member who chose Spanish are Spanish, fit and pass axe', async ({
  world,
  baseURL,
}) => {
  const english = await englishTexts('es')
  const data = await createSampleData(world)
  const { page, actor, allowErrors } = data.ann
  await actor.call(updateProfile, { body: { language: 'es' } })
  await page.context().addCookies([loginCookie(actor, baseURL)])
  allowErrors(/404.*\/999999999/, '/socket.io/')
  const screens = Object.values(memberScreens(data)).flat()
  for (const screen of screens) if (screen.isVariant !== true) await checkSpanish(page, screen, english)
})

/** Checks that screens are written from the right, and fit on a phone and a desktop. */
async function checkArabic(page: Page, screens: readonly Screen[]) {
  for (const { at } of screens) {
    await open(page, at)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size)
      await expectNoLayoutFaults(page, `${at} at ${size.width} pixels`)
    }
  }
}

test('the screens of guests fit from right to left', long, async ({ world, baseURL }) => {
  const { page, allowErrors } = await world.visitor()
  allowErrors(/status of 404.*\/(no-such-page|invited\?invite=some)/)
  await page.context().addCookies([{ name: 'lang', value: 'ar', url: baseURL ?? '' }])
  await checkArabic(page, await guestScreensOf(world))
})

test('a guest changes the language by a link, without a script', async ({ world }) => {
  const { page } = await world.visitor()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Español' }).click()
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Crear cuenta' }).first()).toBeVisible()
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByRole('link', { name: 'Sign up' }).first()).toBeVisible()
})

test('a member changes the language in the profile, and another browser shows it after the login', async ({
  world,
}) => {
  const { page, actor } = await world.member('ann')
  await page.goto('/profile/edit')
  await page.getByLabel('Language').selectOption('Español')
  await expect(page.getByRole('heading', { name: 'editar mi perfil' })).toBeVisible()
  expect(await actor.call(getProfile, {})).toMatchObject({ language: 'es' })

  const other = await world.visitor()
  await other.page.goto('/login')
  await other.page.getByLabel('Email').fill(actor.email)
  await other.page.getByLabel('Password', { exact: true }).fill(actor.password)
  await other.page.getByRole('button', { name: 'Login' }).click()
  await expect(other.page.getByRole('heading', { name: 'mis listas' })).toBeVisible()
})
