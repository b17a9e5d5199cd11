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

/** Hebrew, Arabic and the other scripts that are written from right to left, as a part of a character class. */
const scripts = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`
const letterOf = {
  rtl: new RegExp(`[${scripts}]`, 'u'),
  ltr: new RegExp(String.raw`[^\P{L}${scripts}]`, 'u'),
}

/** Returns a value of a sentence, isolated (UAX #9) if it has letters of the other direction. They would reorder the words around it. */
export function isolated(value: string, language: string): string {
  const other = directionOf(language) === 'rtl' ? letterOf.ltr : letterOf.rtl
  return other.test(value) ? `\u2068${value}\u2069` : value
}

/** Returns the BCP 47 tag for the formats of `Intl`: the language as it is written in the country of the site. */
export function formatTag(language: string, country: string): string {
  return `${language}-${country}`
}
