import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { type Language, languages, sourceLanguage } from '#contract/languages.ts'

export type Catalog = ReadonlyMap<string, string>

const folder = join(import.meta.dirname, '..', '..', '..', 'locales')

/** Reads translations by their English. A text without a translation is left out. */
export async function readCatalog(language: string, name: 'contract' | 'server'): Promise<Catalog> {
  const filename = join(folder, language, `${name}.po`)
  if (!existsSync(filename)) return new Map()
  const entries = await formatter().parse(readFileSync(filename, 'utf8'), {
    locale: language,
    sourceLocale: sourceLanguage,
    filename,
  })
  return new Map(
    Object.entries(entries).flatMap(([id, { translation, obsolete }]) =>
      translation && !obsolete ? [[id, translation]] : [],
    ),
  )
}

async function readLanguage(language: string): Promise<Catalog> {
  const catalogs = await Promise.all(
    (['contract', 'server'] as const).map((name) => readCatalog(language, name)),
  )
  return new Map(catalogs.flatMap((catalog) => [...catalog]))
}

/** The translators' files, which the server reads without a build. */
export const catalogs = Object.fromEntries(
  await Promise.all(Object.keys(languages).map(async (language) => [language, await readLanguage(language)])),
) as Readonly<Record<Language, Catalog>>
