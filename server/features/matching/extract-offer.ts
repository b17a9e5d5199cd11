import { type Classification, classify, isForm, isThing } from './classify.ts'
import type { Concept, Sense } from './concept.ts'
import { disambiguate } from './disambiguate.ts'
import { type Lexicon, lexicon } from './lexicon.ts'
import { type Item, recognize, recognizeEmoji } from './recognize.ts'
import { anything, wordTerm } from './terms.ts'
import { noTraits, type Trait } from './trait.ts'
import { traitsAt } from './traits.ts'
import type { Role } from './words.ts'

/** A thing that a listing offers, under the name it uses. */
export interface Offered {
  readonly concept: Concept
  readonly name: string
  readonly traits: readonly Trait[]
}

/** A sense of a name, with its traits in the text. */
interface SenseWithTraits extends Sense {
  readonly traits: readonly Trait[]
}

/** The offer of a listing. */
export interface Offer {
  /** The offered concepts by each index term of a want that they can match. */
  readonly byTerm: ReadonlyMap<string, readonly Offered[]>
  /** The terms of words that name a thing without a lexicon entry. */
  readonly words: ReadonlySet<string>
  /** All words of title and description. A want's modifiers may be anywhere in them. */
  readonly mentioned: ReadonlySet<string>
}

/** The roles of words that may precede the first name of a sentence. */
const leadingRoles: readonly Role[] = [
  'qualifiers',
  'colors',
  'measures',
  'function_words',
  'conjunctions',
  'forms',
  'containers',
]

/** A listing's texts and its category. With a category it offers something that grows. */
export interface ListingText {
  readonly title: string
  readonly description: string
  readonly category_id?: number | null | undefined
}

/** Extracts the offered concepts and words of a listing. */
export function extractOffer(listing: ListingText): Offer {
  const known = lexicon()
  const title = recognize(listing.title, known)
  const hasCategory = (listing.category_id ?? null) !== null
  const titleClassified = classify(title, 'listing', known.words, hasCategory)
  const text = recognize(listing.description, known)
  const textClassified = classify(text, 'listing', known.words, hasCategory)

  const heads = withoutGone(title, titleClassified, headsOf(title, titleClassified), text, textClassified)
  const named = heads.flatMap((at) => sensesAt(title, heads, at))
  const unambiguous = unambiguousOf(named)
  const namesOnlyContainers = hasCategory && named.length > 0 && named.every(isContainer(known))
  const subject = unambiguousOf(
    heads
      .filter((at) => !namesOnlyContainers && !title[at]?.roles.has('containers'))
      .flatMap((at) => sensesAt(title, heads, at)),
  )
  const isAboutObject =
    !namesOnlyContainers &&
    (subject.length === 0 ? isObject(title) : hasCategory && subject.every(isThingSense))
  const textHeads = headsOf(text, textClassified).filter((at) =>
    isAboutObject
      ? startsSentence(text, at) || textClassified[at]?.explicit
      : isAlsoOffered(subject, text[at], textClassified[at]),
  )
  const senses = textHeads.flatMap((at) => sensesAt(text, textHeads, at))
  const more = unambiguousOf(senses)

  const preferred = namesOnlyContainers && more.length > 0 ? more : [...unambiguous, ...more]
  const chosen: Offered[] = [...(subject.length + more.length > 0 ? preferred : named)]
  if (chosen.length === 0) {
    chosen.push(...senses)
    if (!text.some((_item, at) => textClassified[at]?.status === 'denied'))
      chosen.push(...recognizeEmoji(listing.title, known).map((sense) => ({ ...sense, traits: noTraits })))
  }
  return {
    byTerm: byTerm(chosen),
    words: ownWords(title, titleClassified, known),
    mentioned: new Set([...title, ...text].flatMap(({ words }) => words)),
  }
}

function headsOf(items: readonly Item[], classified: readonly Classification[]): number[] {
  return items.flatMap((item, at) =>
    item.senses.length > 0 &&
    classified[at]?.status === 'offered' &&
    !classified[at]?.modifier &&
    !isForm(items, at)
      ? [at]
      : [],
  )
}

/** Returns the names of a title without those that the title or the description denies. */
function withoutGone(
  title: readonly Item[],
  titleClassified: readonly Classification[],
  heads: readonly number[],
  text: readonly Item[],
  classified: readonly Classification[],
): number[] {
  const termsOf = (item: Item | undefined) => item?.senses.map(({ concept }) => concept.term) ?? []
  const denied = text.flatMap((item, at) =>
    classified[at]?.status === 'denied' && (classified[at]?.gone || heads.length > 1) ? termsOf(item) : [],
  )
  denied.push(...title.flatMap((item, at) => (titleClassified[at]?.gone ? termsOf(item) : [])))
  if (denied.length === 0) return [...heads]
  const offered = text.flatMap((item, at) => (classified[at]?.status === 'offered' ? termsOf(item) : []))
  return heads.filter((at) => {
    const terms = termsOf(title[at])
    return !terms.some((term) => denied.includes(term)) || terms.some((term) => offered.includes(term))
  })
}

/**
 * Returns whether a description offers a crop that it names. Under a title without a crop ("Veg box") it does, unless the words around
 * it deny that. Under a title with a crop it must be offered explicitly ("also have leeks"), or be a kind of the title's crop.
 */
function isAlsoOffered(
  title: readonly Sense[],
  item: Item | undefined,
  classified: Classification | undefined,
): boolean {
  if (!item || !classified) return false
  if (title.every(({ concept }) => concept.kind === 'group')) return true
  if (classified.explicit) return true
  return item.senses.some(({ concept }) => title.some((named) => concept.ancestors.has(named.concept.term)))
}

/** Returns a function that recognizes containers, such as the polytunnel in "Surplus from the polytunnel". In a category, the description names their content. */
function isContainer({ words }: Lexicon): (sense: Sense) => boolean {
  return ({ concept }) => words.containerThings.has(concept.term)
}

function isThingSense({ concept }: Sense): boolean {
  return concept.kind === 'thing'
}

/** Recognizes titles such as "Slug traps", whatever plants the description names. */
function isObject(title: readonly Item[]): boolean {
  const last = title.findLast(
    ({ roles, number }) => !number && !roles.has('qualifiers') && !roles.has('measures'),
  )
  if (!last) return false
  return last.roles.has('heads') && !last.roles.has('forms') && !last.roles.has('containers')
}

/** Returns whether a sentence begins with a name: "Two big pumpkins", but not "keeps slugs off hostas". */
function startsSentence(items: readonly Item[], at: number): boolean {
  for (let index = at; index >= 0; index -= 1) {
    const item = items[index]
    if (!item) return false
    const { senses, roles, words, number } = item
    const isSignificant = senses.length === 0 && !number && !leadingRoles.some((role) => roles.has(role))
    if (isSignificant || words[0] === 'with') return false
    if (item.gap === 'stop') return true
  }
  return true
}

/** Returns the senses of a name with its traits. */
function sensesAt(items: readonly Item[], heads: readonly number[], at: number): SenseWithTraits[] {
  const traits = traitsAt(items, at, heads.length === 1)
  return disambiguate(items, heads, at).map((sense) => ({ ...sense, traits }))
}

function unambiguousOf(senses: readonly SenseWithTraits[]): SenseWithTraits[] {
  return senses.filter(({ ambiguous }) => !ambiguous)
}

function byTerm(offered: readonly Offered[]): Map<string, Offered[]> {
  const terms = new Map<string, Offered[]>()
  const add = (term: string, one: Offered) => {
    const same = terms.get(term)
    if (same) same.push(one)
    else terms.set(term, [one])
  }
  for (const one of offered) {
    for (const term of one.concept.ancestors) add(term, one)
    if (one.concept.kind === 'crop' || one.concept.kind === 'cultivar') add(anything, one)
  }
  return terms
}

/** Returns the terms of the title's words that are neither crops nor modifiers: "cage" of "wire cage". */
function ownWords(
  items: readonly Item[],
  classified: readonly Classification[],
  lexicon: Lexicon,
): Set<string> {
  const words = new Set<string>()
  items.forEach((item, at) => {
    const classification = classified[at]
    if (classification?.status !== 'offered') return
    if (item.senses.length > 0 && !isThing(item)) return
    if (classification.modifier || describesNext(items, at)) return
    const isForm = (word: string) => lexicon.words.phrases.get(word)?.has('forms')
    if (item.roles.has('idioms') && item.words.some(isForm)) return
    for (const word of isThing(item) ? item.words.slice(-1) : item.words) words.add(wordTerm(word))
  })
  return words
}

function describesNext(items: readonly Item[], at: number): boolean {
  const [item, next] = [items[at], items[at + 1]]
  if (!item || !next || next.gap !== 'none' || item.plural) return false
  if (item.roles.size > 0 && !item.roles.has('forms')) return false
  return isThing(next) || next.roles.has('heads') || (next.senses.length === 0 && next.roles.size === 0)
}
