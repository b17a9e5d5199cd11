import { lexicon } from './lexicon.ts'
import { type Offer, type Offered, readOffer } from './offer.ts'
import { type ParsedWant, parseWantTitle, type Target, wordTerm } from './parse-want.ts'
import { type Match, reasonFor } from './reason.ts'
import { contradict } from './traits.ts'

/** A row of somebody's parsedWant list. Without a category, or with null, it is uncategorized. */
export interface Want {
  readonly title: string
  readonly category_id: number | null
}

export interface Listing {
  readonly title: string
  readonly description: string
  readonly category_id: number | null
}

/** Whether a listing has what a want asks for, and why. Pure, and never throws, whatever the texts. */
export function match(want: Want, listing: Listing): Match | undefined {
  if (!categoriesAgree(want.category_id, listing.category_id)) return undefined
  return matchRead(parseWant(want), offerOf(listing))
}

/** The same for texts already read. Categories are the caller's to compare. */
export function matchRead(parsedWant: ParsedWant, offer: Offer): Match | undefined {
  for (const target of parsedWant.targets) {
    if (!target.with.every((word) => offer.mentioned.has(word))) continue
    const offered = offeredFor(target, parsedWant, offer)
    if (offered) return reasonFor(target, offered)
    if (!target.concept && offer.words.has(target.term)) return reasonFor(target, undefined)
  }
  return undefined
}

function offeredFor(target: Target, parsedWant: ParsedWant, offer: Offer): Offered | undefined {
  const offered = (offer.byTerm.get(target.term) ?? []).filter(
    ({ concept, traits }) =>
      !parsedWant.except.some((term) => concept.covers.has(term)) && !contradict(target.traits, traits),
  )
  return offered.find(({ concept }) => concept.term === target.term) ?? offered[0]
}

/** Uncategorized agrees with every category. */
export function categoriesAgree(a: number | null, b: number | null): boolean {
  return a === null || b === null || a === b
}

export function parseWant({ title }: Pick<Want, 'title'>): ParsedWant {
  return parseWantTitle(title, lexicon())
}

/** A listing's texts, and where it is filed: under a category it is something that grows. */
export type Text = Pick<Listing, 'title' | 'description'> & {
  readonly category_id?: number | null | undefined
}

export function offerOf(text: Text): Offer {
  return readOffer(text, lexicon())
}

/** What a want is filed under: a listing that fits it has at least one of these among its own terms. */
export function wantTerms(want: Pick<Want, 'title'>): string[] {
  return [...new Set(parseWant(want).targets.map(({ term }) => term))]
}

/** What a listing is looked up by. */
export function listingTerms(listing: Text): string[] {
  const offer = offerOf(listing)
  return [...offer.byTerm.keys(), ...offer.words]
}

/** What a search box asks for: terms of which any will do, and the words that name nothing the lexicon knows. */
export function searchTerms(q: string): { concepts: string[]; words: string[] } {
  const { targets, words } = parseWant({ title: q })
  const concepts = targets.filter(({ concept }) => concept).map(({ term }) => term)
  const others = targets
    .filter(({ concept }) => !concept)
    .flatMap(({ term, with: more }) => [term, ...more.map(wordTerm)])
  return {
    concepts: [...new Set(concepts)],
    words: [...new Set([...words, ...others.map((term) => term.slice(wordTerm('').length))])],
  }
}
