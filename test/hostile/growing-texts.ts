import { register } from '#contract/auth.ts'
import { createListing } from '#contract/listings.ts'
import { newMessage } from '#contract/messages.ts'
import { subscribeToPush } from '#contract/push.ts'
import { createWant } from '#contract/wants.ts'
import { recognizeText } from '#server/features/matching/pipeline.ts'
import { tokenize } from '#server/features/matching/tokenize.ts'

/** Repeated, these are the worst cases for backtracking patterns and nested loops. */
const units = [
  'a',
  'a ',
  'a.',
  'a, ',
  '?',
  'a?',
  '? a',
  '.',
  '-',
  ' - ',
  '@',
  'a@',
  '(',
  ' ',
  '\n',
  "'",
  "a's ",
  'h: ',
  '1',
  '1.',
  'www.',
  'http://',
  'https://a.',
  'e\u0301',
  '\u0301',
  '\ufdfa',
  '番茄',
  '🍅',
  'tomatos ',
  'cherry tomato ',
]

const parsers: Record<string, (text: string) => unknown> = {
  'a message': (text) => newMessage.safeParse({ receiver_id: 1, content: text }),
  'a registration': (text) =>
    register.body.safeParse({ first_name: text, username: text, email: `${text}@a.b`, password: text }),
  'a listing': (text) => createListing.body.safeParse({ title: text, description: text }),
  'a want': (text) => createWant.body.safeParse({ title: text }),
  'a push subscription': (text) => subscribeToPush.body.safeParse({ endpoint: `https://${text}` }),
  'the tokens of a text': (text) => tokenize(text),
}

const shortLength = 4000
/** Linear work takes this many times as long for the long text, quadratic work its square. */
export const factor = 8

/** A text, and one of the same kind that is `factor` times as long. */
export interface Growth {
  readonly name: string
  readonly short: () => unknown
  readonly long: () => unknown
}

/** Returns the parsing of each kind of text. */
export function growths(): Growth[] {
  return Object.entries(parsers).flatMap(([what, parse]) =>
    units.map((unit) => {
      // Some patterns look for a question mark at the start.
      const textOf = (length: number) => `?${unit.repeat(length / unit.length)}`
      const [short, long] = [textOf(shortLength), textOf(factor * shortLength)]
      return {
        name: `${what} of ${JSON.stringify(unit)}`,
        short: () => parse(short),
        long: () => parse(long),
      }
    }),
  )
}

/** Returns the recognition of misspelt words. Each call has new words, because corrections are cached. */
export function misspeltGrowth(): Growth {
  let words = 0
  const newWord = () => {
    words += 1
    return `ca${Array.from(String(10_000 + words), (digit) => 'eiraltnsoc'[Number(digit)]).join('')}er`
  }
  const recognize = (count: number) => () => recognizeText(Array.from({ length: count }, newWord).join(' '))
  return { name: 'misspelt words', short: recognize(50), long: recognize(50 * factor) }
}
