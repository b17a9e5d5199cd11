import { t } from '@lingui/core/macro'
import { isolated } from '#contract/languages.ts'
import { language, locale } from './i18n.ts'
import { region } from './region.ts'

/** Returns a function that returns the format of the page's language and the site's currency, made once for each. */
export function perLocale<Format>(create: (tag: string, currency: string) => Format): () => Format {
  const formats = new Map<string, Format>()
  return () => {
    const tag = locale()
    const { currency } = region()
    const key = `${tag} ${currency}`
    const format = formats.get(key) ?? create(tag, currency)
    formats.set(key, format)
    return format
  }
}

const numbers = perLocale((tag) => new Intl.NumberFormat(tag))
const lists = perLocale((tag) => new Intl.ListFormat(tag, { style: 'long', type: 'conjunction' }))

export function formatNumber(count: number): string {
  return numbers().format(count)
}

/** Returns the label of a control with what it is for, or a text with its author: "I have it: Meyer lemons". */
export function labelFor(label: string, about: string): string {
  return t`${label}: ${about}`
}

/** Returns "ann", "ann and ben", "ann, ben, and cat". */
export function formatList(names: readonly string[]): string {
  return lists().format(names.map((name) => isolated(name, language())))
}

/** Returns "Portland, OR · under 5 miles" without the facts that are missing. */
export function formatFacts(facts: readonly (string | false | undefined)[]): string {
  return facts.flatMap((fact) => (fact ? [isolated(fact, language())] : [])).join(' · ')
}
