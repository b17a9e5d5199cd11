import { explain, type Match } from './explain.ts'
import { extractOffer, type ListingText, type Offer, type Offered } from './extract-offer.ts'
import { type ExtractedWant, extractWant, type Target } from './extract-want.ts'
import { wordTerm } from './terms.ts'
import { contradict } from './traits.ts'

/** A want. Without a category, or with null, it is uncategorized. */
export interface Want {
  readonly title: string
  readonly category_id: number | null
}

export interface Listing {
  readonly title: string
  readonly description: string
  readonly category_id: number | null
}

/** Returns the reason why a listing matches a want, or undefined if it doesn't match. Never throws. */
export function match(want: Want, listing: Listing): Match | undefined {
  if (!categoriesAgree(want.category_id, listing.category_id)) return undefined
  return matchExtracted(extractWant(want), extractOffer(listing))
}

/** Matches an extracted want with an extracted offer. The caller compares the categories. */
export function matchExtracted(extracted: ExtractedWant, offer: Offer): Match | undefined {
  for (const target of extracted.targets) {
    if (!target.with.every((word) => offer.mentioned.has(word))) continue
    const offered = offeredFor(target, extracted, offer)
    if (offered) return explain(target, offered)
    if (!target.concept && offer.words.has(target.term)) return explain(target, undefined)
  }
  return undefined
}

/** Returns the offered thing that meets a target: the concept itself before a kind of it. */
function offeredFor(target: Target, extracted: ExtractedWant, offer: Offer): Offered | undefined {
  const offered = (offer.byTerm.get(target.term) ?? []).filter(
    ({ concept, traits }) =>
      !extracted.except.some((term) => concept.ancestors.has(term)) && !contradict(target.traits, traits),
  )
  return offered.find(({ concept }) => concept.term === target.term) ?? offered[0]
}

/** Returns whether two categories are compatible. Uncategorized is compatible with each. */
export function categoriesAgree(a: number | null, b: number | null): boolean {
  return a === null || b === null || a === b
}

/** Returns the index terms of a want: a listing that matches has at least one of them. */
export function wantTerms(want: Pick<Want, 'title'>): string[] {
  return [...new Set(extractWant(want).targets.map(({ term }) => term))]
}

/** Returns the index terms of a listing. */
export function listingTerms(listing: ListingText): string[] {
  const offer = extractOffer(listing)
  return [...offer.byTerm.keys(), ...offer.words]
}

/** Returns a search's concepts, any of which is a hit, and the words that the lexicon has no name for. */
export function searchTerms(q: string): { concepts: string[]; words: string[] } {
  const { targets, words } = extractWant({ title: q })
  const concepts = targets.filter(({ concept }) => concept).map(({ term }) => term)
  const wordTerms = targets
    .filter(({ concept }) => !concept)
    .flatMap(({ term, with: modifiers }) => [term, ...modifiers.map(wordTerm)])
  return {
    concepts: [...new Set(concepts)],
    words: [...new Set([...words, ...wordTerms.map((term) => term.slice(wordTerm('').length))])],
  }
}
