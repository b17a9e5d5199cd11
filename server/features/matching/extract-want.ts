import type { CategoryId } from '#contract/constants.ts'
import { type ClassifiedItem, isForm, isUnknown } from './classify.ts'
import { type Concept, isNarrower, type Sense } from './concept.ts'
import { disambiguate } from './disambiguate.ts'
import { type Form, formOf, noForms } from './form.ts'
import { formsAt } from './forms.ts'
import { lexicon } from './lexicon.ts'
import type { Item } from './recognize.ts'
import { anything, wordTerm } from './terms.ts'
import { noTraits, type Trait } from './trait.ts'
import { traitsAt } from './traits.ts'

/** A concept that satisfies a want, with the words that must accompany it ("tomato" of tomato cages). */
export interface Target {
  readonly term: string
  /** The name that the want uses. */
  readonly name: string
  /** The code of the name's language, if the lexicon has it. */
  readonly language?: string
  readonly concept?: Concept
  readonly with: readonly string[]
  /** Required traits: "purple" of purple carrots. */
  readonly traits: readonly Trait[]
  /** Says what of the crop is wanted: "fig tree". */
  readonly forms: readonly Form[]
  /** True if only the concept itself fits, none of its kinds: "chickens" for a want of hens. */
  readonly isWider?: boolean
}

/** An extracted want. A listing fits if it offers one of the targets and nothing in `except`. */
export interface ExtractedWant {
  readonly targets: readonly Target[]
  readonly except: readonly string[]
  /** The forms that its category implies. */
  readonly categoryForms: readonly Form[]
}

/** Extracts the wanted concepts and words of a want's title. */
export function extractWant(items: readonly ClassifiedItem[], category: CategoryId | null): ExtractedWant {
  const categoryForms = formOf(category)
  const except = items
    .filter(({ status }) => status === 'denied')
    .flatMap(({ senses }) => senses.map(({ concept }) => concept.term))
  const names = items.flatMap((_item, at) => (isWantedName(items, at) ? [at] : []))
  except.push(...deniedKinds(items, names))
  const named = withoutGeneralNames(items, names)

  const targets = unique(
    named.flatMap(({ at, senses }) =>
      senses.flatMap((sense) => withWider(targetOf(items, at, sense, named.length === 1))),
    ),
  )
  if (targets.length > 0) return { targets, except, categoryForms }
  if (except.length > 0)
    return {
      targets: [{ term: anything, name: 'anything that grows', with: [], traits: noTraits, forms: noForms }],
      except,
      categoryForms,
    }
  return { targets: targetsOfWords(items), except, categoryForms }
}

/** Returns the terms of the kinds of wanted names that denied words specify: "tomatoes, no cherry types". */
function deniedKinds(items: readonly ClassifiedItem[], names: readonly number[]): string[] {
  const denied = items.filter(({ status }) => status === 'denied').map(({ words }) => words.join(''))
  if (denied.length === 0) return []
  return names
    .map((at) => items[at]?.words.join('') ?? '')
    .flatMap((name) => denied.flatMap((kind) => [kind + name, name + kind]))
    .flatMap((key) =>
      lexicon()
        .sensesOf(key)
        .map(({ concept }) => concept.term),
    )
}

function isWantedName(items: readonly ClassifiedItem[], at: number): boolean {
  const item = items[at]
  if (!item || item.senses.length === 0) return false
  return item.status === 'offered' && !item.isModifier && !isForm(items, at)
}

/** The index of a name with its senses. */
interface NamedAt {
  readonly at: number
  readonly senses: readonly Sense[]
}

/** Returns the names with their senses, without names that one beside them specifies: "Brandywine tomatoes" wants Brandywine only. */
function withoutGeneralNames(items: readonly Item[], names: readonly number[]): NamedAt[] {
  const named = names.map((at) => ({ at, senses: disambiguate(items, names, at) }))
  return named.filter(
    ({ at, senses }) => !named.some((other) => other.at !== at && isNarrower(other.senses, senses)),
  )
}

function targetOf(
  items: readonly ClassifiedItem[],
  at: number,
  { concept, name, language }: Sense,
  isOnly: boolean,
): Target {
  return {
    term: concept.term,
    name,
    language,
    concept,
    with: concept.kind === 'thing' ? modifiersOf(items, at) : [],
    traits: traitsAt(items, at, isOnly),
    forms: formsAt(items, at, isOnly),
  }
}

/** Returns a target with those for the things that a wanted thing is a kind of. */
function withWider(target: Target): Target[] {
  const { concept, term } = target
  if (concept?.kind !== 'thing') return [target]
  const wider = [...concept.ancestors].filter((ancestor) => ancestor !== term)
  return [target, ...wider.map((ancestor) => ({ ...target, term: ancestor, isWider: true }))]
}

/** Returns the words of the names that specify a thing: "tomato" in "tomato cages". */
function modifiersOf(items: readonly ClassifiedItem[], at: number): string[] {
  const words: string[] = []
  for (let index = at - 1; items[index + 1]?.gap === 'none'; index -= 1) {
    const item = items[index]
    if (item?.isModifier && item.senses.length > 0) words.push(...item.words)
  }
  return words
}

/** Returns the target of words without a lexicon entry: the last word is the thing, the others specify it. */
function targetsOfWords(items: readonly ClassifiedItem[]): Target[] {
  const wanted = items.filter(({ status }) => status === 'offered')
  const named = wanted.filter((item) => isUnknown(item) || item.roles.has('heads'))
  const chosen = named.length > 0 ? named : wanted.filter(isSignificant)
  const phrase = wanted
    .filter((item) => chosen.includes(item) || item.isModifier)
    .flatMap(({ words }) => words)
  const head = phrase.at(-1)
  if (head === undefined) return []
  return [
    {
      term: wordTerm(head),
      name: phrase.join(' '),
      with: phrase.slice(0, -1),
      traits: noTraits,
      forms: noForms,
    },
  ]
}

function isSignificant({ roles, isNumber }: Item): boolean {
  return !roles.has('function_words') && !roles.has('seeking') && !isNumber
}

function unique(targets: readonly Target[]): Target[] {
  const seen = new Set<string>()
  return targets.filter(({ term, with: words, traits, forms }) => {
    const key = [term, ...words, ...forms, ...traits.flatMap(({ values }) => values)].join(' ')
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
