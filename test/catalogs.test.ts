import { readdirSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCatalog } from '#server/platform/i18n/catalogs.ts'
import { markedTexts } from '../scripts/marked-messages.ts'
import { completeLanguages } from './complete-languages.ts'
import { argumentsOf, missingCategories } from './icu.ts'

const root = join(import.meta.dirname, '..')
const names = ['contract', 'server'] as const
const translated = readdirSync(join(root, 'locales'))

async function textsOf(folder: string): Promise<ReadonlySet<string>> {
  const texts = new Set<string>()
  for await (const file of glob(`${folder}/**/*.ts`, { cwd: root }))
    if (!file.endsWith('.test.ts'))
      for (const text of await markedTexts(file, readFileSync(join(root, file), 'utf8'))) texts.add(text)
  return texts
}

test.each(names.flatMap((name) => translated.map((language) => [language, name] as const)))(
  'the catalog %s/%s has no text that the code no longer has, and complete ones have all',
  async (language, name) => {
    const texts = await textsOf(name)
    const catalog = await readCatalog(language, name)

    expect([...catalog.keys()].filter((text) => !texts.has(text))).toEqual([])
    if (completeLanguages.includes(language))
      expect([...texts].filter((text) => !catalog.has(text))).toEqual([])
  },
)

test.each(names.flatMap((name) => translated.map((language) => [language, name] as const)))(
  'the translations of %s/%s are ICU messages with the arguments of their English and the plurals of their language',
  async (language, name) => {
    for (const [text, translation] of await readCatalog(language, name)) {
      expect(argumentsOf(translation), translation).toEqual(argumentsOf(text))
      expect(missingCategories(translation, language), translation).toEqual([])
    }
  },
)
