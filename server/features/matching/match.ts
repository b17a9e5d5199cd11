import type { Concept } from './concept.ts'
import type { Offer, Offered } from './extract-offer.ts'
import type { ExtractedWant, Target } from './extract-want.ts'
import { type Form, formsConflict, isSeedOtherPart } from './form.ts'
import { contradict } from './traits.ts'

/** A target of a want, with the offered thing that meets it: undefined if the target is a word without a lexicon entry. */
export interface MatchedTarget {
  readonly target: Target
  readonly offered: Offered | undefined
}

/** Returns the target that an offer meets, the same concept before a wider one, or undefined if it meets none. The caller compares the categories. */
export function match(want: ExtractedWant, offer: Offer): MatchedTarget | undefined {
  let first: MatchedTarget | undefined
  for (const target of want.targets) {
    if (!target.with.every((word) => offer.mentioned.has(word))) continue
    const offered = offeredFor(target, want, offer)
    if (!offered && (target.concept || !offer.words.has(target.term))) continue
    if (offered?.concept === target.concept) return { target, offered }
    first ??= { target, offered }
  }
  return first
}

/** Returns the offered thing that meets a target: the concept itself before a kind of it. */
function offeredFor(
  target: Target,
  { except, categoryForms }: ExtractedWant,
  offer: Offer,
): Offered | undefined {
  const implied = offer.categoryForms
  // Categories that agree say no more about the form than the texts.
  const wanted = target.forms.length > 0 || implied.length > 0 ? target.forms : categoryForms
  // In the same category, "coriander leaf" among plants is coriander, but among produce, grape leaves are no grapes.
  const isAnyForm = categoryForms.length > 0 && implied.length > 0 && !implied.includes('main')
  const isSeedOnly = (forms: readonly Form[], concept: Concept) =>
    implied.includes('main') && wanted.length === 0 && forms[0] === 'seed' && isSeedOtherPart(concept)
  const offered = (offer.byTerm.get(target.term) ?? []).filter(
    ({ concept, traits, forms }) =>
      !except.some((term) => concept.ancestors.has(term)) &&
      !(target.isWider && concept.term !== target.term) &&
      !contradict(target.traits, traits) &&
      !isSeedOnly(forms, concept) &&
      (isAnyForm ||
        (forms.length === 0 && target.forms.some((form) => offer.mentionedForms.has(form))) ||
        !formsConflict(wanted, forms.length > 0 ? forms : implied, concept)),
  )
  return offered.find(({ concept }) => concept.term === target.term) ?? offered[0]
}

/** Returns the index terms of a want: an offer that matches has at least one of them. */
export function wantTerms({ targets }: ExtractedWant): string[] {
  return [...new Set(targets.map(({ term }) => term))]
}

/** Returns the index terms of an offer. */
export function offerTerms({ byTerm, words }: Offer): string[] {
  return [...byTerm.keys(), ...words]
}

/** Returns whether two categories are compatible. Uncategorized is compatible with each. */
export function categoriesAgree(a: number | null, b: number | null): boolean {
  return a === null || b === null || a === b
}
