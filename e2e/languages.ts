import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { expect, type Page } from '@playwright/test'
import { isolated } from '#contract/languages.ts'
import { desktop, phone, test, type World } from './fixtures.ts'
import { guestScreens } from './guest-screens.ts'
import { expectNoLayoutFaults, setTextSize } from './layout-faults.ts'
import { createInvite } from './sample-data.ts'
import { closeDialog, type Screen, type Translate } from './screens.ts'

const root = join(import.meta.dirname, '..')

/** An English text that is translated otherwise, as a pattern of what a screen would show. */
type EnglishText = RegExp

const tag = /<\/?\d+\/?>/

/** Returns the English of the texts whose translation differs. Leaves out those whose words are split by elements, branches or values. */
export async function englishTexts(language: string): Promise<readonly EnglishText[]> {
  const patterns: EnglishText[] = []
  for (const name of ['guest', 'members', 'contract']) {
    const filename = join(root, 'locales', language, `${name}.po`)
    const context = { locale: language, sourceLocale: 'en', filename }
    const catalog = await formatter().parse(readFileSync(filename, 'utf8'), context)
    for (const [id, { message = id, translation = '' }] of Object.entries(catalog)) {
      const words = message.replace(/\{[^}]*\}/g, '').match(/\p{L}{2,}/gu) ?? []
      if (translation === message || tag.test(message) || /\{\w+,/.test(message) || words.join('').length < 4)
        continue
      const escaped = message.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')
      patterns.push(new RegExp(`^${escaped}$`))
    }
  }
  return patterns
}

/** Returns how messages are shown in a language. `change` replaces the translations. */
export async function translatorOf(
  language: string,
  change = (_message: string, translation: string) => translation,
): Promise<Translate> {
  const texts = new Map<string, string>()
  for (const name of ['contract', 'members', 'guest']) {
    const filename = join(root, 'locales', language, `${name}.po`)
    const context = { locale: language, sourceLocale: 'en', filename }
    const catalog = await formatter().parse(readFileSync(filename, 'utf8'), context)
    for (const [id, { message = id, translation = '' }] of Object.entries(catalog))
      texts.set(message, change(message, translation))
  }
  return (message, values) => {
    const text = texts.get(message)
    if (text === undefined) throw new Error(`No catalog has the message ${message}`)
    return text.replace(/\{(\w+)\}/g, (_, name) => isolated(values[name] ?? '', language))
  }
}

/** Opens the dialogs and menus of a screen one after the other. */
export async function forEachDialog(
  page: Page,
  { at, more = {} }: Screen,
  check: (where: string) => Promise<void>,
) {
  for (const [name, open] of Object.entries(more)) {
    await page.setViewportSize(phone)
    await test.step(`${at}, ${name}`, () => open(page))
    await check(`${at}, ${name}`)
    await closeDialog(page)
  }
}

/** Returns the texts of the page that are shown or read aloud, without the words of members. */
export function textsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [document.title.replace(/ · Rhubarb$/, '')]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (
        node.parentElement?.closest('script, style, noscript, bdi, [dir="auto"], [lang]:not(html)') === null
      )
        texts.push(node.textContent ?? '')
    for (const element of document.querySelectorAll('[aria-label], [alt], [placeholder], [title]'))
      for (const name of ['aria-label', 'alt', 'placeholder', 'title'])
        texts.push(element.getAttribute(name) ?? '')
    return [...new Set(texts.map((text) => text.trim()))]
  })
}

/** Returns the screens of guests but the legal pages, which are the operator's, in the language of the operator. */
export async function translatedGuestScreens(world: World): Promise<Screen[]> {
  const screens = Object.values(guestScreens(await createInvite(world))).flat()
  return screens.filter(({ at }) => !['/terms', '/privacy', '/safety'].includes(at))
}

/** The errors of the browser's console at screens of guests that do not exist. */
export const missingPages = /status of 404.*\/(no-such-page|invited\?invite=some)/

/** Opens a screen in any language and waits until its data is shown. */
export async function openInLanguage(page: Page, at: string) {
  await page.goto(at)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrating')
  await expect(page.locator('[data-skeleton]')).toHaveCount(0)
}

/** A desktop at a zoom of 200 %. */
const zoomed = { width: 640, height: 450 }

/** Checks that a screen fits on a phone and on a desktop, also with a text twice as large. */
export async function expectToFit(page: Page, at: string) {
  for (const size of [phone, desktop, zoomed]) {
    await page.setViewportSize(size)
    await expectNoLayoutFaults(page, `${at} at ${size.width} pixels`)
  }
  await page.setViewportSize(phone)
  await setTextSize(page, '200%')
  await expectNoLayoutFaults(page, `${at} at ${phone.width} pixels with a text twice as large`)
  await setTextSize(page, '')
}
