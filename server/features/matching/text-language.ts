import type { Language } from './languages.ts'
import type { Words } from './words.ts'

/** The language of a text shows in this many words. */
const maxWords = 24

/**
 * Returns the code of the language in which most words of a text are. Without two points for another one it is English.
 * Words of phrases and frequent words count twice.
 */
export function languageOf(
  words: readonly string[],
  { phraseLanguages, languages: known }: Pick<Words, 'phraseLanguages' | 'languages'>,
  languages: readonly Language[],
): string {
  const points = new Map<string, number>()
  for (const word of words.slice(0, maxWords)) {
    const ofDictionaries = languages.flatMap(({ code, dictionary }) => (dictionary?.has(word) ? [code] : []))
    const codes = phraseLanguages.get(word) ?? known.get(word)
    const [code, ...others] = codes ?? ofDictionaries
    if (code === undefined || others.length > 0) continue
    // English is what remains: a word of its phrases says less if another language has it ("gas").
    const isShared = code === 'en' && ofDictionaries.some((other) => other !== code)
    const weight = codes && !isShared ? 2 : 1
    points.set(code, (points.get(code) ?? 0) + weight)
  }
  if (points.size === 0 || (points.size === 1 && points.has('en'))) return 'en'
  const [best = 'en', most = 0] = [...points].sort(([, a], [, b]) => b - a)[0] ?? []
  return most >= 2 && most > (points.get('en') ?? 0) ? best : 'en'
}
