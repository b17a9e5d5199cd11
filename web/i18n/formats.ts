import { locale } from './i18n.ts'

/** Returns a function that returns the format of the page's language, made once a language. */
export function perLocale<Format>(create: (tag: string) => Format): () => Format {
  const formats = new Map<string, Format>()
  return () => {
    const tag = locale()
    const format = formats.get(tag) ?? create(tag)
    formats.set(tag, format)
    return format
  }
}

const numbers = perLocale((tag) => new Intl.NumberFormat(tag))
const lists = perLocale((tag) => new Intl.ListFormat(tag, { style: 'long', type: 'conjunction' }))

export function formatNumber(count: number): string {
  return numbers().format(count)
}

/** Returns "ann", "ann and ben", "ann, ben, and cat". */
export function formatList(names: readonly string[]): string {
  return lists().format(names)
}
