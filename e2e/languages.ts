import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import type { Page } from '@playwright/test'

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
