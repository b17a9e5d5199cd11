/** The languages of the site by their own names. English is the source of all texts. */
export const languages = { en: 'English', es: 'Español', de: 'Deutsch', ar: 'العربية' } as const
export type Language = keyof typeof languages

export const languageNames = Object.keys(languages) as [Language, ...Language[]]

export const sourceLanguage: Language = 'en'

/** The cookie with a guest's choice of language. A member's language is stored with the member. */
export const languageCookie = 'lang'

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name)
}

const rightToLeft: readonly string[] = ['ar', 'fa', 'he', 'ur']

export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(language) ? 'rtl' : 'ltr'
}

/** Returns the BCP 47 tag for the formats of `Intl`: the language as it is written in the country of the site. */
export function formatTag(language: string, country: string): string {
  return `${language}-${country}`
}
