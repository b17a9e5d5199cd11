import { type CategoryId, categories } from '#contract/constants.ts'
import { classify, type Grammar, hasOtherSubject } from './classify.ts'
import { explain, type Match } from './explain.ts'
import { extractOffer, type Offer } from './extract-offer.ts'
import { type ExtractedWant, extractWant } from './extract-want.ts'
import { lexicon } from './lexicon.ts'
import { categoriesAgree, match } from './match.ts'
import { type Item, recognize, recognizeEmoji } from './recognize.ts'
import { emojiOf, type Token, tokenize } from './tokenize.ts'

// The stages of the matcher: tokenize → recognize → classify → extractWant | extractOffer → match → explain.

/** A want. Without a category, or with null, it is uncategorized. */
export interface WantText {
  readonly title: string
  readonly category_id?: number | null | undefined
}

/** A listing's texts and its category. */
export interface ListingText {
  readonly title: string
  readonly description: string
  readonly category_id?: number | null | undefined
}

/** Recognizes the lexicon's names and phrases in a text. */
export function recognizeText(text: string): Item[] {
  const tokens = tokenize(text)
  return recognize(tokens, lexicon(), languageOf(tokens))
}

function categoryOf(id: number | null | undefined): CategoryId | null {
  return Object.values(categories).find((category) => category === id) ?? null
}

function languageOf(tokens: readonly Token[]): string {
  return lexicon().languageOf(tokens.map(({ word }) => word))
}

/** Reads what a want's title asks for. */
export function readWant({ title, category_id }: WantText): ExtractedWant {
  const tokens = tokenize(title)
  const language = languageOf(tokens)
  const items = recognize(tokens, lexicon(), language, categoryOf(category_id) !== null)
  return extractWant(classify(items, 'want', lexicon().words, grammarOf(language)), categoryOf(category_id))
}

/** Returns a function that reads wants. Members ask for the same things, so it reads each title once for a category. */
export function wantReader(): (want: WantText) => ExtractedWant {
  const read = new Map<string, ExtractedWant>()
  return ({ title, category_id = null }) => {
    const key = `${category_id} ${title}`
    const extracted = read.get(key) ?? readWant({ title, category_id })
    read.set(key, extracted)
    return extracted
  }
}

function grammarOf(language: string): Grammar {
  const { isHeadFirst = false, notNouns } = lexicon().language(language) ?? {}
  return { language, isHeadFirst, notNouns }
}

/** Holds what a listing's texts say. Its drawing, its search terms and its matches come from one reading. */
export interface ListingReading {
  readonly title: readonly Item[]
  readonly offer: Offer
}

/** Reads the texts of a listing. */
export function readTexts({ title, description, category_id }: ListingText): ListingReading {
  const { words } = lexicon()
  const hasCategory = (category_id ?? null) !== null
  const [titleTokens, descriptionTokens] = [tokenize(title), tokenize(description)]
  const language = languageOf([...titleTokens, ...descriptionTokens])
  const grammar = { ...grammarOf(language), hasCategory }
  const titleItems = recognize(titleTokens, lexicon(), language, hasCategory)
  const descriptionItems = recognize(descriptionTokens, lexicon(), language)
  const isDescribedOtherwise = hasOtherSubject(descriptionItems, grammar.isHeadFirst)
  const offer = extractOffer({
    title: classify(titleItems, 'listing', words, { ...grammar, isDescribedOtherwise }),
    description: classify(descriptionItems, 'listing', words, grammar),
    emoji: recognizeEmoji(emojiOf(title), lexicon()),
    category: categoryOf(category_id),
  })
  return { title: titleItems, offer }
}

/** Reads what a listing offers. */
export function readListing(text: ListingText): Offer {
  return readTexts(text).offer
}

/** Returns the reason why an offer matches a want, or undefined if it doesn't match. The caller compares the categories. */
export function findMatch(want: ExtractedWant, offer: Offer): Match | undefined {
  const matched = match(want, offer)
  return matched && explain(matched)
}

/** Returns the reason why a listing matches a want, as `findMatch` does, or undefined if their categories differ. */
export function matchTexts(want: WantText, listing: ListingText): Match | undefined {
  if (!categoriesAgree(want.category_id ?? null, listing.category_id ?? null)) return undefined
  return findMatch(readWant(want), readListing(listing))
}
