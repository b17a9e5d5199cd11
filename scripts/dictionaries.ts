// `npm run dictionaries`: packs the word lists of the development dependencies into the dictionaries of the matcher's languages.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { plain } from '#server/features/matching/fold.ts'
import { encodeWords } from '#server/features/matching/word-set.ts'

const require = createRequire(import.meta.url)
const languages = join(import.meta.dirname, '../server/features/matching/lexicon/languages')

const lists: Readonly<Record<string, readonly string[]>> = {
  en: require('an-array-of-english-words'),
  es: require('an-array-of-spanish-words'),
}

for (const [language, words] of Object.entries(lists)) {
  const folded = new Set(words.map((word) => plain(word.toLowerCase())))
  const bytes = encodeWords(folded)
  writeFileSync(join(languages, language, 'dictionary.bloom'), bytes)
  console.log(`${language}: ${folded.size} words, ${bytes.length} bytes`)
}
