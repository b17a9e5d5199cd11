import { type I18n, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { defaultSiteName } from '#contract/constants.ts'
import {
  directionOf,
  formatTag,
  isLanguage,
  isolated,
  type Language,
  sourceLanguage,
} from '#contract/languages.ts'
import { type ArgumentsOf, templateOf, type Values } from '#contract/message.ts'
import { moneyFormat } from '#contract/money.ts'
import { type Catalog, catalogs } from './catalogs.ts'

/** How amounts are written: the country of the site and its currency, in the codes of ISO 3166 and ISO 4217. */
export interface Region {
  readonly country: string
  readonly currency: string
}

const dateStyles = {
  /** "May 3" */
  day: { day: 'numeric', month: 'long' },
  /** "Sunday, May 3 at 5:30 PM PDT" */
  appointment: {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Translates English texts to a reader's language, and writes amounts, dates and lists as the reader does. */
export interface Translator {
  /** Returns the translation of a text of the source code or the contract. Returns other texts unchanged. */
  <const Text extends string>(
    text: Text,
    ...values: unknown extends ArgumentsOf<Text> ? [] : [ArgumentsOf<Text>]
  ): string
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  /** The name of the site. */
  readonly siteName: string
  number(value: number): string
  /** Returns "$4" or "$4.50". */
  money(amount: number): string
  date(moment: string, style: keyof typeof dateStyles): string
  /** Returns "a, b, and c". */
  list(items: readonly string[]): string
  /** Returns the text with a capital at its start. */
  capitalized(text: string): string
}

export type TranslatorFor = (language: string | null | undefined, timeZone?: string | null) => Translator

/** Creates the function that returns the translator to a language. `siteName` returns the name of the site. An unknown language is English; without a time zone, dates are in UTC. */
export function createTranslators(region: Region, siteName = () => defaultSiteName): TranslatorFor {
  const languages = new Map<Language, ReturnType<typeof openLanguage>>()
  return (name, timeZone) => {
    const language = name && isLanguage(name) ? name : sourceLanguage
    const opened = languages.get(language) ?? openLanguage(language, region)
    languages.set(language, opened)
    return translatorFor(opened, { timeZone: timeZone ?? 'UTC', siteName: siteName() })
  }
}

function openLanguage(language: Language, { country, currency }: Region) {
  const tag = formatTag(language, country)
  return {
    language,
    tag,
    catalog: catalogs[language],
    i18n: setupI18n({ locale: language, locales: tag, messages: { [language]: {} } }),
    money: moneyFormat(tag, currency),
    number: new Intl.NumberFormat(tag),
    list: new Intl.ListFormat(tag, { type: 'conjunction' }),
  }
}

function translatorFor(
  { language, tag, catalog, i18n, number, money, list }: ReturnType<typeof openLanguage>,
  { timeZone, siteName }: { timeZone: string; siteName: string },
): Translator {
  const translate = (text: string, values?: Values) =>
    values ? fill(i18n, catalog, text, values) : translateMarked(i18n, catalog, text)
  return Object.assign(translate as Translator, {
    language,
    direction: directionOf(language),
    siteName,
    number: (value: number) => number.format(value),
    money: (amount: number) => money.format(amount),
    date: (moment: string, style: keyof typeof dateStyles) =>
      new Intl.DateTimeFormat(tag, { ...dateStyles[style], timeZone: knownZone(timeZone) }).format(
        new Date(moment),
      ),
    list: (items: readonly string[]) => list.format(items.map((item) => isolated(item, language))),
    capitalized: (text: string) => {
      const [first = ''] = text
      return first.toLocaleUpperCase(language) + text.slice(first.length)
    },
  })
}

/** Translates a text without values, or one whose values `message` has filled in. It may be any text, so it is no ICU message itself. */
function translateMarked(i18n: I18n, catalog: Catalog, text: string): string {
  const [id, values] = templateOf(text)
  return catalog.has(id) ? fill(i18n, catalog, id, values) : text
}

/** Stands for a backslash in a value, because Lingui decodes escape sequences such as `\u0041` in the filled text. */
const backslash = '\uFFFE'

/** Fills the values in the translation of a text, or in the text itself if there is none. Isolates them, so it has no `select`. */
function fill(i18n: I18n, catalog: Catalog, id: string, values: Values): string {
  if (!Object.hasOwn(i18n.messages, id))
    i18n.load(i18n.locale, { [id]: compileMessage(catalog.get(id) ?? id) })
  const kept = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? isolated(value, i18n.locale).replaceAll('\\', backslash) : value,
  ])
  return i18n._(id, Object.fromEntries(kept)).replaceAll(backslash, '\\')
}

/** Returns the time zone, or UTC if `Intl` does not know it: one member's zone must not fail a job for many. */
function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
