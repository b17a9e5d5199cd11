import type { Language } from './languages.ts'

/** The language of a text shows in this many words. */
const maxWords = 24

/**
 * Returns the code of the language in which most words of a text are. Without two points for another one it is English.
 * @param known the codes of the languages by each word of their phrases, which count twice
 */
export function languageOf(
  words: readonly string[],
  known: ReadonlyMap<string, readonly string[]>,
  languages: readonly Language[],
): string {
  const points = new Map<string, number>()
  for (const word of words.slice(0, maxWords)) {
    const codes = known.get(word)
    const [code, ...others] =
      codes ?? languages.flatMap(({ code, dictionary }) => (dictionary?.has(word) ? [code] : []))
    if (code !== undefined && others.length === 0) points.set(code, (points.get(code) ?? 0) + (codes ? 2 : 1))
  }
  if (points.size === 0 || (points.size === 1 && points.has('en'))) return 'en'
  const [best = 'en', most = 0] = [...points].sort(([, a], [, b]) => b - a)[0] ?? []
  return most >= 2 && most > (points.get('en') ?? 0) ? best : 'en'
}
