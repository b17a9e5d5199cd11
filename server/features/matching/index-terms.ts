import { hash } from 'node:crypto'
import { isSearchable } from '#contract/search-words.ts'
import { fold, plain } from './fold.ts'
import { lexicon } from './lexicon.ts'
import { offerTerms } from './match.ts'
import { type ListingReading, type ListingText, readTexts, recognizeText } from './pipeline.ts'
import { singular } from './plurals.ts'
import type { Item } from './recognize.ts'
import type { Role } from './words.ts'

/** Increase it with each change of the rules below or the lexicon. A job then reindexes the listings. */
export const indexVersion = 25

/** A search term of a text: a folded word or, after a `#`, a concept of the lexicon. */
export interface IndexTerm {
  readonly term: string
  readonly in_title: boolean
}

/** A word of a search. Any of its terms matches. */
export type QueryWord = readonly string[]

const maxQueryWords = 8
/** In UTF-16 units. */
const maxWordLength = 30

/** Returns the term of a concept: a short code, since every listing repeats the terms of its concepts. */
export function conceptTerm(concept: string): string {
  return `#${hash('sha1', concept, 'base64url').slice(0, 6)}`
}

export function isWord(term: string): boolean {
  return !term.startsWith('#')
}

/** Returns the search terms of a listing's texts: their words, the concepts that the title names, and those that the listing offers. */
export function indexTerms(text: ListingText, reading: ListingReading = readTexts(text)): IndexTerm[] {
  const { title, description } = text
  const inTitle = new Set([...searchWords(title), ...conceptsNamedIn(reading.title)])
  const offered = offerTerms(reading.offer).map(conceptTerm)
  const others = new Set([...searchWords(description), ...offered].filter((term) => !inTitle.has(term)))
  return [
    ...Array.from(inTitle, (term) => ({ term, in_title: true })),
    ...Array.from(others, (term) => ({ term, in_title: false })),
  ]
}

/** Returns the terms of the concepts that a title names and of those that they belong to. */
function conceptsNamedIn(title: readonly Item[]): string[] {
  return title.flatMap(({ senses }) =>
    senses.flatMap(({ concept }) => Array.from(concept.ancestors, conceptTerm)),
  )
}

/** The roles of words about an offer, which add nothing to a search for a crop: "free tomatoes", "2 dozen eggs". */
const offerRoles: readonly Role[] = ['measures', 'offering', 'offered']

/**
 * Returns the distinct words of a search without stop words. A word that names a concept stands for all names of the concept, and
 * beside it words about the offer don't count.
 */
export function queryWords(q: string): QueryWord[] {
  const codes = searchWords(q).filter(isCode)
  const words = new Map<string, QueryWord>(codes.map((code) => [code, [code]]))
  const withoutCodes = foldForSearch(q).replaceAll(anyWord, (word) => (isCode(singular(word)) ? ' ' : word))
  const items = recognizeText(withoutCodes)
  const namesConcept = items.some(({ senses }) => senses.length > 0)
  for (const item of items) {
    const isFiller = item.senses.length === 0 && offerRoles.some((role) => item.roles.has(role))
    if (namesConcept && isFiller) continue
    const plainWords = searchWords(item.words.join(' '))
    const concepts = item.senses.map(({ concept }) => conceptTerm(concept.term))
    const alternatives: QueryWord[] =
      concepts.length === 0
        ? plainWords.map((term) => [term])
        : [[...(plainWords.length === 1 ? plainWords : []), ...concepts]]
    for (const word of alternatives) words.set(word.join(' '), word)
  }
  return [...words.values()].slice(0, maxQueryWords)
}

/** Matches a character of the languages that have no spaces between words. */
const unspacedCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

const anyWord = /[\p{L}\p{N}]+/gu

/** Matches words of letters and digits such as "M26", which are searched as a whole, but no amounts with units. */
function isCode(word: string): boolean {
  return isMixed(word) && !/^\p{N}+\p{L}{1,3}$/u.test(word)
}

function isMixed(word: string): boolean {
  return /\p{L}\p{N}|\p{N}\p{L}/u.test(word)
}

/**
 * Returns the words of a text in their plainest form: lower case, no accents, singular, without stop words. A word that mixes
 * letters and digits comes with its parts, and a Chinese or Japanese one with its characters.
 *
 * The matcher's `tokenize` would not do: it splits "M26" and joins "4.5", but a search must find a word as members type it. The
 * lexemes of all listings depend on these rules.
 */
function searchWords(text: string): string[] {
  return (foldForSearch(text).match(anyWord) ?? [])
    .flatMap((word) => (isMixed(word) ? [word, ...(word.match(/\p{L}+|\p{N}+/gu) ?? [])] : [word]))
    .flatMap((word) => [word, ...(word.match(unspacedCharacter) ?? [])])
    .map(singular)
    .filter((word) => !lexicon().words.stopWords.has(word))
    .map(shorten)
    .filter((word) => word.length > 1 || isSearchable(word))
}

/** Cuts a word, but not between the two units of a letter: PostgreSQL refuses half of one in JSON. */
function shorten(word: string): string {
  const start = word.slice(0, maxWordLength)
  return start.isWellFormed() ? start : start.slice(0, -1)
}

function foldForSearch(text: string): string {
  return plain(fold(text))
}
