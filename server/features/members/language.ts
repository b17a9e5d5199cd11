import type { Language } from '#contract/languages.ts'
import type { Db } from '#server/tables.ts'
import { findLanguage } from './queries.ts'

/** Returns the language of a member, null for English: they have not logged in since languages exist. */
export function languageOf(db: Db, userId: number): Promise<Language | null> {
  return findLanguage(db, userId)
}
