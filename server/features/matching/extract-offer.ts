import type { CategoryId } from '#contract/constants.ts'
import { type ClassifiedItem, isForm, isThing } from './classify.ts'
import { type Concept, isNarrower, type Sense, withInherited } from './concept.ts'
import { disambiguate } from './disambiguate.ts'
import { type Form, formOf, noForms } from './form.ts'
import { formsAt } from './forms.ts'
import type { Item } from './recognize.ts'
import { anything, wordTerm } from './terms.ts'
import { noTraits, type Trait } from './trait.ts'
import { traitsAt } from './traits.ts'
import type { Role } from './words.ts'

/** A thing that a listing offers, under the name it uses. */
export interface Offered {
  readonly concept: Concept
  readonly name: string
  readonly traits: readonly Trait[]
  /** Says what of the crop is offered. */
  readonly forms: readonly Form[]
}

/** A sense of a name, with its traits in the text. */
interface SenseWithTraits extends Sense {
  readonly traits: readonly Trait[]
  readonly forms: readonly Form[]
}

/** The offer of a listing. */
export interface Offer {
  /** The offered concepts by each index term of a want that they can match. */
  readonly byTerm: ReadonlyMap<string, readonly Offered[]>
  /** The forms of what is offered without words for it. */
  readonly categoryForms: readonly Form[]
  /** The terms of words that name a thing without a lexicon entry. */
  readonly words: ReadonlySet<string>
  /** All words of title and description. A want's modifiers may be anywhere in them. */
  readonly mentioned: ReadonlySet<string>
  /** The forms that title and description name, of whatever crop. */
  readonly mentionedForms: ReadonlySet<Form>
}

/** The roles of words that may precede the first name of a sentence. */
const leadingRoles: readonly Role[] = ['qualifiers', 'measures', 'function_words', 'conjunctions']

/** A listing whose texts are classified. */
export interface ClassifiedListing {
  readonly title: readonly ClassifiedItem[]
  readonly description: readonly ClassifiedItem[]
  /** The senses of the emoji in the title. */
  readonly emoji: readonly Sense[]
  readonly category: CategoryId | null
}

/** Extracts the offered concepts and words of a listing. */
export function extractOffer({ title, description, emoji, category }: ClassifiedListing): Offer {
  const titleNames = withoutDenied(offeredNames(title), title, description)
  const titleSenses = titleNames.flatMap((at) => sensesAt(title, titleNames, at))
  const subject = unambiguousOf(
    titleNames
      .filter((at) => !title[at]?.roles.has('containers'))
      .flatMap((at) => sensesAt(title, titleNames, at)),
  )
  const isAboutThing = subject.length > 0 && subject.every(({ concept }) => concept.kind === 'thing')
  // The description of a pesto or a soap names what it is made from.
  const isMade = isAboutThing && subject.every(({ traits }) => traits.some(({ of }) => of === 'origin'))
  const offersAll = isOpen(titleSenses, subject)
  const descriptionNames = offeredNames(description).filter((at) =>
    isAboutThing
      ? (!isMade && startsSentence(description, at)) || description[at]?.isExplicit
      : offersAll || isAlsoOffered(subject, description[at]),
  )
  const alsoOffered = unambiguousOf(
    descriptionNames.flatMap((at) => sensesAt(description, descriptionNames, at)),
  )
  const named =
    subject.length + alsoOffered.length > 0 ? [...unambiguousOf(titleSenses), ...alsoOffered] : titleSenses
  const items = [...title, ...description]
  return {
    categoryForms: formOf(category),
    byTerm: byTerm(
      named.length > 0 ? named : emoji.map((sense) => ({ ...sense, traits: noTraits, forms: noForms })),
    ),
    words: wordsWithoutConcept(title),
    mentioned: new Set(items.flatMap(({ words }) => words)),
    mentionedForms: new Set(
      items.flatMap(({ form, status }) => (form && status === 'offered' ? [form] : [])),
    ),
  }
}

/** Returns the indexes of the names that a text offers. */
function offeredNames(items: readonly ClassifiedItem[]): number[] {
  const names: number[] = []
  items.forEach((item, at) => {
    if (isNamedOffer(item) && !isForm(items, at) && !(names.length > 0 && isSource(items, at))) names.push(at)
  })
  return names
}

function isNamedOffer({ senses, status, isModifier }: ClassifiedItem): boolean {
  return senses.length > 0 && status === 'offered' && !isModifier
}

/** Recognizes a thing that only holds or produced the offer before it: "in 4 inch pots", "(1 gallon pot)", "from our hens". */
function isSource(items: readonly ClassifiedItem[], at: number): boolean {
  const thing = items[at]
  if (!thing || !isThing(thing)) return false
  for (let index = at; index > 0; index -= 1) {
    const item = items[index]
    if (!item || item.roles.has('conjunctions') || (index < at && isNamedOffer(item))) return false
    if (item.roles.has('sources')) return true
    if (item.gap !== 'none') return item.gap !== 'stop' && item.isNumber && thing.roles.has('containers')
  }
  return false
}

/** Returns the names of a title without those that it or the description denies. */
function withoutDenied(
  names: readonly number[],
  title: readonly ClassifiedItem[],
  description: readonly ClassifiedItem[],
): number[] {
  const denied = [...title, ...description].flatMap(({ status, senses }) =>
    status === 'denied' ? senses : [],
  )
  const isDenied = (sense: Sense) => denied.some(({ concept }) => concept === sense.concept)
  return names.filter((at) => !title[at]?.senses.some(isDenied))
}

/**
 * Returns whether a description offers all crops that it names, unless the words around them deny that: under a title without a crop
 * ("Veg box") or with a group ("Tomatoes and herbs").
 */
function isOpen(senses: readonly Sense[], subject: readonly Sense[]): boolean {
  return subject.length === 0 || senses.some(({ concept }) => concept.kind === 'group')
}

/** Returns whether the description offers a name under a title with a crop: a kind of it ("Sungold") or explicitly ("also have leeks"). */
function isAlsoOffered(subject: readonly Sense[], item: ClassifiedItem | undefined): boolean {
  return item !== undefined && (item.isExplicit || isNarrower(item.senses, subject))
}

/** Returns whether a sentence begins with a name: "Two big pumpkins", but not "keeps slugs off hostas". */
function startsSentence(items: readonly Item[], at: number): boolean {
  for (let index = at; index >= 0; index -= 1) {
    const item = items[index]
    if (!item) return false
    const { senses, roles, isNumber } = item
    const isSignificant = senses.length === 0 && !isNumber && !leadingRoles.some((role) => roles.has(role))
    if (isSignificant) return false
    if (item.gap === 'stop') return true
  }
  return true
}

/** Returns the senses of a name with its traits. */
function sensesAt(items: readonly ClassifiedItem[], names: readonly number[], at: number): SenseWithTraits[] {
  const own = items[at]?.senses ?? []
  // "Early Girl" and "tomato" are one name.
  const isOnly = names.every((other) => {
    const senses = items[other]?.senses ?? []
    return other === at || isNarrower(own, senses) || isNarrower(senses, own)
  })
  const beside = isOnly ? names.map((other) => items[other]) : [items[at - 1], items[at + 1]]
  const kinds = beside.flatMap((item) => item?.senses ?? [])
  const kind = kinds.find((sense) => isNarrower([sense], own))
  const traits = withInherited(traitsAt(items, at, isOnly), kind?.concept.traits ?? noTraits)
  const forms = formsAt(items, at, isOnly)
  return disambiguate(items, names, at).map((sense) => ({
    ...sense,
    traits: withInherited(traits, sense.concept.traits),
    forms,
  }))
}

function unambiguousOf(senses: readonly SenseWithTraits[]): SenseWithTraits[] {
  return senses.filter(({ isAmbiguous }) => !isAmbiguous)
}

function byTerm(offered: readonly Offered[]): Map<string, Offered[]> {
  const terms = new Map<string, Offered[]>()
  const add = (term: string, thing: Offered) => {
    const same = terms.get(term)
    if (same) same.push(thing)
    else terms.set(term, [thing])
  }
  for (const thing of offered) {
    for (const term of thing.concept.ancestors) add(term, thing)
    if (thing.concept.kind === 'crop' || thing.concept.kind === 'cultivar') add(anything, thing)
  }
  return terms
}

/** Returns the terms of the title's words that are neither crops nor modifiers: "cage" of "wire cage". */
function wordsWithoutConcept(items: readonly ClassifiedItem[]): Set<string> {
  const words = new Set<string>()
  for (const item of items) {
    if (item.status !== 'offered') continue
    if (item.senses.length > 0 || item.roles.has('idioms')) continue
    if (item.isModifier && item.roles.has('containers')) continue
    for (const word of item.words) words.add(wordTerm(word))
  }
  return words
}
