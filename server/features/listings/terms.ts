import { lexicon } from '#server/features/matching/lexicon.ts'
import { listingTerms } from '#server/features/matching/match.ts'
import { read } from '#server/features/matching/read.ts'

/** Goes up with the rules below and with the lexicon: a job files anew what was filed by older ones. */
export const termsVersion = 8

/** What a listing can be found by: a word in its plainest form, or, behind a `#`, what the lexicon knows it to be. */
export interface Term {
  readonly term: string
  readonly in_title: boolean
}

/** A word of a search: any one of its terms will do. */
export type Word = readonly string[]

const mostWords = 8
const longestTerm = 40

/** A concept as it stands among words. */
export function conceptTerm(concept: string): string {
  return `#${concept}`
}

export function isWord(term: string): boolean {
  return !term.startsWith('#')
}

export function termsOf(text: {
  title: string
  description: string
  category_id?: number | null | undefined
}): Term[] {
  const { title, description } = text
  const inTitle = new Set([...wordsOf(title), ...conceptsNamedIn(title)])
  const offered = listingTerms(text).map(conceptTerm)
  const further = new Set([...wordsOf(description), ...offered].filter((term) => !inTitle.has(term)))
  return [
    ...Array.from(inTitle, (term) => ({ term, in_title: true })),
    ...Array.from(further, (term) => ({ term, in_title: false })),
  ]
}

/** What a title names, whatever it says of it, and all that this belongs to. */
function conceptsNamedIn(title: string): string[] {
  return read(title, lexicon()).flatMap(({ senses }) =>
    senses.flatMap(({ concept }) => Array.from(concept.covers, conceptTerm)),
  )
}

/** The words of a search that count, each once. A word that names something is met by all that this can be called. */
export function termsOfQuery(q: string): Word[] {
  const codes = wordsOf(q).filter(isCode)
  const words = new Map<string, Word>(codes.map((code) => [code, [code]]))
  const spoken = folded(q).replaceAll(anyWord, (word) => (isCode(singular(word)) ? ' ' : word))
  for (const item of read(spoken, lexicon())) {
    const plain = wordsOf(item.words.join(' '))
    const concepts = item.senses.map(({ concept }) => conceptTerm(concept.term))
    const read: Word[] =
      concepts.length === 0
        ? plain.map((term) => [term])
        : [[...(plain.length === 1 ? plain : []), ...concepts]]
    for (const word of read) words.set(word.join(' '), word)
  }
  return [...words.values()].slice(0, mostWords)
}

const anyWord = /[\p{L}\p{N}]+/gu

/** Letters and figures in one, such as "M26": a name that is looked for whole. An amount with its unit is none. */
function isCode(word: string): boolean {
  return isMixed(word) && !/^\p{N}+\p{L}{1,3}$/u.test(word)
}

function isMixed(word: string): boolean {
  return /\p{L}\p{N}|\p{N}\p{L}/u.test(word)
}

/**
 * A text's words in their plainest form: no case, no accents, in the singular, without those that say nothing. Of one that mixes
 * letters and figures its parts as well.
 */
function wordsOf(text: string): string[] {
  return (folded(text).match(anyWord) ?? [])
    .flatMap((word) => (isMixed(word) ? [word, ...(word.match(/\p{L}+|\p{N}+/gu) ?? [])] : [word]))
    .filter((word) => !silent.has(word))
    .map((word) => singular(word).slice(0, longestTerm))
    .filter((word) => word.length > 1)
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøłđð]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/['’](?:s\b)?/g, '')
}

const silent = new Set(
  'a an and are as at be but by do for from i if in is it its my me no not of on or our so some that the them they this to up us was we with you your'.split(
    ' ',
  ),
)

/** No plain object: any word may be asked of it, `constructor` too. */
const irregular: ReadonlyMap<string, string> = new Map([
  ['leaves', 'leaf'],
  ['loaves', 'loaf'],
  ['halves', 'half'],
  ['shelves', 'shelf'],
  ['knives', 'knife'],
  ['geese', 'goose'],
  ['cacti', 'cactus'],
  ['fungi', 'fungus'],
  ['canoes', 'canoe'],
])

function singular(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (word.length > 4 && /ies?$/.test(word)) return word.replace(/ies?$/, 'y')
  if (word.length <= 3 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.length > 5 && word.endsWith('oes')) return word.slice(0, -2)
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const bitsOfListing = 384
const bitsOfTerm = 4

/**
 * Four of 384 bits for each term, as PostgreSQL reads them: a listing that lacks one of a term's bits does not have the term.
 * Any change here needs another `termsVersion`, and another column.
 */
export function bitsOf(terms: readonly string[]): string {
  const bits = new Uint8Array(bitsOfListing / 8)
  for (const term of terms) {
    const hash = hashOf(term)
    const step = (hash >>> 16) | 1
    for (let turn = 0; turn < bitsOfTerm; turn += 1) {
      const bit = ((hash & 0xffff) + turn * step) % bitsOfListing
      bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
  }
  return `x${Buffer.from(bits).toString('hex')}`
}

/** FNV-1a, and what spreads it over all bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The word without any one of its letters, and the whole: words that share one of these are a slip or two apart. */
export function variantsOf(term: string): string[] {
  const characters = [...term]
  return [...new Set([term, ...characters.map((_, index) => characters.toSpliced(index, 1).join(''))])]
}

/** How many slips lie between two words: a letter too many, too few, another one, or two swapped. */
export function slipsBetween(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [row, letter] of a.entries()) {
    const now = [row + 1]
    for (const [column, opposite] of b.entries()) {
      const swapped = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === opposite
      now.push(
        Math.min(
          (last[column + 1] ?? 0) + 1,
          (now[column] ?? 0) + 1,
          (last[column] ?? 0) + (letter === opposite ? 0 : 1),
          swapped ? (before[column - 1] ?? 0) + 1 : Infinity,
        ),
      )
    }
    before = last
    last = now
  }
  return last[b.length] ?? 0
}

/** How many slips are forgiven: none in a short word, as too many others are as near. */
export function forgiven(term: string): number {
  if (/^\p{N}+$/u.test(term) || term.length < 4) return 0
  return term.length < 7 ? 1 : 2
}
