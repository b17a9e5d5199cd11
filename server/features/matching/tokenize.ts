import { fold } from './fold.ts'

/** The separator before a word: space, a comma or similar, a dash or bracket, or the end of a sentence. */
export type Gap = 'none' | 'comma' | 'dash' | 'stop'

export interface Token {
  /** The word in lower case, without accents and apostrophes. */
  readonly word: string
  readonly gap: Gap
  /** True if it is capitalized within a sentence, as few other words are: "Ask for Rose". */
  readonly isProper: boolean
  /** True if it ends with an apostrophe and "s". */
  readonly isPossessive: boolean
  /** True if a hyphen or slash joins it to the word before. */
  readonly isJoined: boolean
}

/** Matches Chinese and Japanese characters. Each is a token, because these languages have no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

/** Returns the words of any script, with numbers apart from the letters that follow them. Never throws. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  const folded = fold(text)
  const [proper, possessive] = [properWords(text), possessiveWords(text)]
  for (const match of folded.matchAll(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu)) {
    const [word] = match
    const between = folded.slice(end, match.index)
    const gap = between === ' ' || between === '' ? 'none' : gapOf(between)
    const isJoined = between === '-' || between === '/'
    end = match.index + word.length
    const [isProper, isPossessive] = [proper.has(word), possessive.has(word)]
    if (word < '\u3000') tokens.push({ word, gap, isJoined, isProper, isPossessive })
    else
      for (const [at, part] of (word.match(unspaced) ?? []).entries())
        tokens.push({ word: part, gap: at === 0 ? gap : 'none', isJoined: false, isProper, isPossessive })
  }
  return tokens
}

const noWords: ReadonlySet<string> = new Set()

/** Returns the folded words that are capitalized within a sentence, or none if half of the words are, as in a headline. */
function properWords(text: string): ReadonlySet<string> {
  if (!/ \p{Lu}/u.test(text)) return noWords
  const inside = text.match(/(?<=[\p{L}\d,;] )\p{L}{3,}/gu) ?? []
  const capitalized = inside.filter((word) => /^\p{Lu}\p{Ll}/u.test(word))
  if (capitalized.length === 0 || capitalized.length * 2 > inside.length) return noWords
  return new Set(capitalized.map((word) => fold(word)))
}

function possessiveWords(text: string): ReadonlySet<string> {
  return /['’]s\b/.test(text) ? new Set(text.match(/\p{L}+['’]s\b/gu)?.map((word) => fold(word))) : noWords
}

/** Returns the folded words of a name. */
export function wordsOf(text: string): string[] {
  if (/^[A-Za-z]+(?:[ -][A-Za-z]+)*$/.test(text)) return text.toLowerCase().split(/[ -]/)
  return tokenize(text).map(({ word }) => word)
}

/** Returns the emoji of a text without variation selectors. */
export function emojiOf(text: string): string[] {
  return text.match(/\p{Extended_Pictographic}/gu) ?? []
}

function gapOf(between: string): Gap {
  if (/[.!?;\n\r。！？]/.test(between)) return 'stop'
  if (/[:()[\]–—|~*•=>…]|\s-+\s|--/.test(between)) return 'dash'
  if (/[,/\\、，]/.test(between)) return 'comma'
  return /\p{Extended_Pictographic}/u.test(between) ? 'dash' : 'none'
}
