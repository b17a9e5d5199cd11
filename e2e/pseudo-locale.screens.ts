import type { Page } from '@playwright/test'
import { updateProfile } from '#contract/profile.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { expectToFit, missingPages, openInLanguage, textsOn, translatedGuestScreens } from './languages.ts'
import { loginCookie } from './markup.ts'
import { memberScreens } from './member-screens.ts'
import { pseudoLanguage } from './pseudo-locale.ts'
import { createSampleData } from './sample-data.ts'
import type { Screen } from './screens.ts'

/** Names and addresses, which are the same in every language. */
const isName = (text: string) => /^(?:Instagram|Facebook|YouTube|\S+@\S+)$/.test(text)

/** Returns whether a text has letters without accents, so that no catalog has it. */
const isForgotten = (text: string) => /[a-z]{2}/i.test(text) && !isName(text)

/** Checks that a screen has no text outside the catalogs, fits and passes axe. */
async function checkScreen(page: Page, { at }: Screen) {
  await openInLanguage(page, at)
  await expect(page.locator('html')).toHaveAttribute('lang', RegExp(`^${pseudoLanguage}-`))
  const forgotten = async () => (await textsOn(page)).filter(isForgotten)
  await expect.soft.poll(forgotten, { message: `texts at ${at}`, timeout: 5000 }).toEqual([])
  await expectToFit(page, at)
  await expectAccessible(page, at)
}

test('the screens of guests have no text outside the catalogs, fit and pass axe', async ({
  world,
  baseURL,
}) => {
  const { page, allowErrors } = await world.visitor()
  allowErrors(missingPages)
  await page.context().addCookies([{ name: 'lang', value: pseudoLanguage, url: baseURL ?? '' }])
  for (const screen of await translatedGuestScreens(world)) await checkScreen(page, screen)
})

test('the screens of members have no text outside the catalogs, fit and pass axe', async ({
  world,
  baseURL,
}) => {
  const data = await createSampleData(world)
  const { page, actor, allowErrors } = data.ann
  await actor.call(updateProfile, { body: { language: pseudoLanguage } })
  await page.context().addCookies([loginCookie(actor, baseURL)])
  allowErrors(/404.*\/999999999/, '/socket.io/')
  for (const screen of Object.values(memberScreens(data)).flat()) await checkScreen(page, screen)
})
