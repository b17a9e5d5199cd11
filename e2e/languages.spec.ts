import type { Page } from '@playwright/test'
import { getProfile } from '#contract/auth.ts'
import { updateProfile } from '#contract/profile.ts'
import { expect, expectAccessible, long, test } from './fixtures.ts'
import {
  englishTexts,
  expectToFit,
  forEachDialog,
  missingPages,
  openInLanguage,
  textsOn,
  translatedGuestScreens,
  translatorOf,
} from './languages.ts'
import { expectNoLayoutFaults } from './layout-faults.ts'
import { loginCookie } from './markup.ts'
import { memberScreens } from './member-screens.ts'
import { createSampleData } from './sample-data.ts'
import { type Screen, translateScreens } from './screens.ts'

// Each test opens many screens.
test.describe.configure({ timeout: 240_000 })

/** Checks that a screen is Spanish, fits and passes axe. */
async function checkSpanish(page: Page, { at }: Screen, english: readonly RegExp[]) {
  await openInLanguage(page, at)
  await expect(page.locator('html')).toHaveAttribute('lang', /^es-/)
  const untranslated = async () =>
    (await textsOn(page)).filter((text) => english.some((pattern) => pattern.test(text)))
  await expect.poll(untranslated, `English at ${at}`).toEqual([])
  await expectNoLayoutFaults(page, at)
  await expectAccessible(page, at)
}

test('the screens of guests are Spanish for a Spanish browser, fit and pass axe', async ({
  world,
  baseURL,
}) => {
  const english = await englishTexts('es')
  const { page, allowErrors } = await world.visitor()
  allowErrors(missingPages)
  await page.context().addCookies([{ name: 'lang', value: 'es', url: baseURL ?? '' }])
  for (const screen of await translatedGuestScreens(world))
    if (screen.isVariant !== true) await checkSpanish(page, screen, english)
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

/** Checks that screens are written from the right, fit and pass axe. */
async function checkArabic(page: Page, screens: readonly Screen[]) {
  translateScreens(page, await translatorOf('ar'))
  const check = async (where: string) => {
    await expectToFit(page, where)
    await expectAccessible(page, where)
  }
  for (const screen of screens) {
    await openInLanguage(page, screen.at)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await check(screen.at)
    await forEachDialog(page, screen, check)
  }
}

test('the screens of guests fit from right to left', long, async ({ world, baseURL }) => {
  const { page, allowErrors } = await world.visitor()
  allowErrors(missingPages)
  await page.context().addCookies([{ name: 'lang', value: 'ar', url: baseURL ?? '' }])
  await checkArabic(page, await translatedGuestScreens(world))
})

test('the screens of members fit from right to left', long, async ({ world, baseURL }) => {
  const data = await createSampleData(world)
  const { page, actor, allowErrors } = data.ann
  await actor.call(updateProfile, { body: { language: 'ar' } })
  await page.context().addCookies([loginCookie(actor, baseURL)])
  allowErrors(/404.*\/999999999/, '/socket.io/')
  await checkArabic(page, Object.values(memberScreens(data)).flat())
})

test('the fonts of rare characters are not loaded for English, Spanish and German', async ({
  world,
  baseURL,
}) => {
  const { page } = await world.visitor()
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  for (const language of ['en', 'es', 'de']) {
    await page.context().addCookies([{ name: 'lang', value: language, url: baseURL ?? '' }])
    for (const path of ['/', '/login']) await page.goto(path, { waitUntil: 'networkidle' })
  }
  expect(fonts.filter((url) => url.includes('besley-normal'))).not.toEqual([])
  expect(fonts.filter((url) => url.includes('-more'))).toEqual([])
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
