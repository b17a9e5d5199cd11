import type { Page } from '@playwright/test'
import { updateProfile } from '#contract/profile.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import {
  expectToFit,
  forEachDialog,
  missingPages,
  openInLanguage,
  textsOn,
  translatedGuestScreens,
  translatorOf,
} from './languages.ts'
import { loginCookie } from './markup.ts'
import { memberScreens } from './member-screens.ts'
import { pseudoLanguage, pseudoTextOf } from './pseudo-locale.ts'
import { createSampleData } from './sample-data.ts'
import { type Screen, translateScreens } from './screens.ts'

/** Names and addresses, which are the same in every language. */
const isName = (text: string) =>
  /^(?:Instagram|Facebook|YouTube|PostgreSQL|Redis|English|Español|Deutsch|example\.com|\S+@\S+)$/.test(text)

/** Matches times, dates and units as `Intl` writes them in German. */
const times = /heute|gestern|\d+\. \p{L}+\.?(?:, \d+:\d+)?|\d+(?:,\d)?\s[kMG]?B/gu
/** The name of the site, and words of the sample data, which members have written. */
const data =
  /\bRhubarb\b|\b(?:ann_of_the_orchard|bob|cat|dan|inviter)_\w+|\S*Llanfair\S*|Skirret(?: roots)?|Salsify(?: roots)?|Cardoon seeds|Chives by the pot|Tomatoes|Strawberry runners|Seeds of the rose of|Portland(?:, OR)?|By the bucket\.|From(?= )|https:\S+|Are the roots still there\?|They are\.|I come by after six\.|For my grandmother in|I’d like this\.|Good morning|ab(?= )|Lovely chives\.|photo\.jpg/g

/** Returns whether a text has letters without accents, so that no catalog has it. */
const isForgotten = (text: string) =>
  !isName(text) && /[a-z]{2}/i.test(text.replaceAll(times, '').replaceAll(data, ''))

/** Checks that a screen has no text outside the catalogs, fits and passes axe. */
async function checkScreen(page: Page, screen: Screen) {
  await openInLanguage(page, screen.at)
  await expect(page.locator('html')).toHaveAttribute('lang', RegExp(`^${pseudoLanguage}-`))
  await checkTexts(page, screen.at)
  await forEachDialog(page, screen, (where) => checkTexts(page, where))
}

async function checkTexts(page: Page, where: string) {
  const forgotten = async () => (await textsOn(page)).filter(isForgotten)
  await expect.soft.poll(forgotten, { message: `texts at ${where}`, timeout: 5000 }).toEqual([])
  await expectToFit(page, where)
  await expectAccessible(page, where)
}

const translate = await translatorOf(pseudoLanguage, pseudoTextOf)

test('the screens of guests have no text outside the catalogs, fit and pass axe', async ({
  world,
  baseURL,
}) => {
  const { page, allowErrors } = await world.visitor()
  allowErrors(missingPages)
  await page.context().addCookies([{ name: 'lang', value: pseudoLanguage, url: baseURL ?? '' }])
  translateScreens(page, translate)
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
  translateScreens(page, translate)
  for (const screen of Object.values(memberScreens(data)).flat()) await checkScreen(page, screen)
})
