/** The separator before a word: space, a comma or similar, a dash or bracket, or the end of a sentence. */
export type Gap = 'none' | 'comma' | 'dash' | 'stop'

export interface Token {
  /** The word in lower case, without accents and apostrophes. */
  readonly word: string
  readonly gap: Gap
  /** True if a hyphen or slash joins it to the word before. */
  readonly isJoined: boolean
  /** True if it follows a quotation mark. */
  readonly isQuoted: boolean
  /** True if its sentence ends in a question mark. */
  readonly inQuestion: boolean
}

/** Matches Chinese and Japanese characters. Each is a token, because these languages have no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

/** Returns the words of any script, with numbers apart from the letters that follow them. Never throws. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  const folded = fold(text)
  const questions = questionsOf(folded)
  let question = 0
  for (const match of folded.matchAll(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu)) {
    const [word] = match
    const between = folded.slice(end, match.index)
    const isPlain = between === ' ' || between === ''
    const gap = isPlain ? 'none' : gapOf(between)
    const isJoined = between === '-' || between === '/'
    const isQuoted = !isPlain && /(?:^|[\s(])['"“«]$/.test(between)
    end = match.index + word.length
    while ((questions[question]?.[1] ?? Infinity) <= match.index) question += 1
    const inQuestion = (questions[question]?.[0] ?? Infinity) <= match.index
    if (word < '\u3000') tokens.push({ word, gap, isJoined, isQuoted, inQuestion })
    else
      for (const [at, part] of (word.match(unspaced) ?? []).entries())
        tokens.push({
          word: part,
          gap: at === 0 ? gap : 'none',
          isJoined: false,
          isQuoted: isQuoted && at === 0,
          inQuestion,
        })
  }
  return tokens
}

/** Returns the folded words of a name. */
export function wordsOf(text: string): string[] {
  if (/^[A-Za-z]+(?:[ -][A-Za-z]+)*$/.test(text)) return text.toLowerCase().split(/[ -]/)
  return tokensOf(text).map(({ word }) => word)
}

/** Returns the emoji of a text without variation selectors. */
export function emojiOf(text: string): string[] {
  return text.match(/\p{Extended_Pictographic}/gu) ?? []
}

function fold(text: string): string {
  const lower = text.toLowerCase()
  return (/[^ -~\s]/.test(lower) ? withoutAccents(lower) : lower)
    .replace(/(\p{L})['`]s(?!\p{L})/gu, '$1')
    .replace(/(?<=\p{L})['`](?=\p{L})/gu, '')
    .replace(/\b(st|mt|dr|mr|mrs|no|var|subsp|ssp|cv|spp|sp|approx|lb|lbs|oz|ea|pt|qt|[a-z])\. /g, '$1 ')
    .replace(/(\p{N})'?s(?!\p{L})/gu, '$1')
    .replace(/[&+]|\bn'/g, ' and ')
}

/** Returns the start and end of each sentence that ends in a question mark. */
function questionsOf(folded: string): [number, number][] {
  if (!/[?？]/.test(folded)) return []
  // The mark is optional in the pattern. A required one would take quadratic time.
  return [...folded.matchAll(/[^.!?;\n\r。！？]+([?？]?)/g)]
    .filter(([, mark]) => mark)
    .map(({ index, 0: sentence }) => [index, index + sentence.length])
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '´': "'",
  ʼ: "'",
  '×': ' ',
}

/** Matches accents that distinguish short Vietnamese words: "ổi" is a guava, "oi" is not a word. */
const toned = /[ạảấầẩẫậắằẳẵặẻẽẹếềểễệỉịỏọốồổỗộớờởỡợủụứừửữựỳỵỷỹơư]/

function withoutAccents(lower: string): string {
  const composed = lower.normalize('NFC')
  if (!toned.test(composed)) return plain(composed)
  return composed.replace(/[\p{L}\p{M}]+|[^\p{L}\p{M}]+/gu, (word) =>
    word.length <= 4 && toned.test(word) ? word : plain(word),
  )
}

/** Removes all accents, because many people omit them. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßøłđæœı’‘´ʼ×]/g, (letter) => plainLetters[letter] ?? letter)
}

function gapOf(between: string): Gap {
  if (/[.!?;\n\r。！？]/.test(between)) return 'stop'
  if (/[:()[\]–—|~*•=>…]|\s-+\s|--/.test(between)) return 'dash'
  if (/[,/\\、，]/.test(between)) return 'comma'
  return /\p{Extended_Pictographic}/u.test(between) ? 'dash' : 'none'
}
