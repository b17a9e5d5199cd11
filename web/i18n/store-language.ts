import { type Language, languageCookie } from '#contract/languages.ts'

const yearSeconds = 31_536_000

/** Stores the language of the next page in the cookie, which the server also writes. */
export function storeLanguage(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store answers later
  document.cookie = `${languageCookie}=${language}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${secure}`
}
