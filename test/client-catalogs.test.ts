import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { extractMessagesFromFiles } from '@lingui/native-tools'
import { expect, test } from 'vitest'
import { sourceLanguage } from '#contract/languages.ts'
import { completeLanguages } from './complete-languages.ts'
import { argumentsOf, missingCategories } from './icu.ts'

const root = join(import.meta.dirname, '..')
const translated = readdirSync(join(root, 'locales'))

/** Returns the English texts of the client by their ids. */
async function textsOfClient(): Promise<ReadonlyMap<string, string>> {
  const files: string[] = []
  for await (const file of glob('web/**/*.{ts,tsx}', { cwd: root }))
    if (!/\.test\.|^web\/(?:components|testing)\//.test(file)) files.push(join(root, file))
  const { messages } = await extractMessagesFromFiles(files)
  return new Map(messages.map(({ id, message = '' }) => [id, message]))
}

async function translationsOf(language: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const name of ['guest', 'members']) {
    const filename = join(root, 'locales', language, `${name}.po`)
    if (!existsSync(filename)) continue
    const context = { locale: language, sourceLocale: sourceLanguage, filename }
    const entries = await formatter().parse(readFileSync(filename, 'utf8'), context)
    for (const [id, { translation }] of Object.entries(entries)) if (translation) found.set(id, translation)
  }
  return found
}

const elementsIn = (text: string) => [...new Set(text.match(/<\/?\d+\/?>/g))].sort()

test.each(translated)(
  'the translations of the client to %s have the values, elements and plurals of their English, and complete ones have all',
  async (language) => {
    const texts = await textsOfClient()
    const translations = await translationsOf(language)

    const missing = [...texts].filter(([id]) => !translations.has(id)).map(([, text]) => text)
    if (completeLanguages.includes(language)) expect(missing).toEqual([])
    for (const [id, text] of texts) {
      const translation = translations.get(id)
      if (translation === undefined) continue
      expect(argumentsOf(translation), translation).toEqual(argumentsOf(text))
      expect(missingCategories(translation, language), translation).toEqual([])
      expect(elementsIn(translation), translation).toEqual(elementsIn(text))
    }
  },
)
