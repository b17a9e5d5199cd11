import type { Gap } from './fold.ts'
import type { Concept, Lexicon, Sense } from './lexicon.ts'
import { type Item, read } from './read.ts'
import { isGroupOnly, isThing, type Standing, standings } from './standing.ts'
import { noTraits, type Trait } from './trait.ts'
import { traitsAt } from './traits.ts'

/** One of the things that would do: what it is, and which words must stand with it ("tomato" of tomato cages). */
export interface Target {
  readonly term: string
  /** What the want calls it. */
  readonly name: string
  readonly concept?: Concept
  readonly with: readonly string[]
  /** What it is to be like: "purple" of purple carrots. */
  readonly traits: readonly Trait[]
}

/** What a want asks for: any of its targets, and nothing of what it excludes. */
export interface ParsedWant {
  readonly targets: readonly Target[]
  readonly except: readonly string[]
  /** Words of the title that name nothing, for a search box. */
  readonly words: readonly string[]
}

/** The term of a word that no list knows. */
export function wordTerm(word: string): string {
  return `word:${word}`
}

/** Anything that grows, wanted by "anything but zucchini". */
export const anything = 'group:anything'

export function parseWantTitle(title: string, lexicon: Lexicon): ParsedWant {
  const items = read(title, lexicon)
  const stand = standings(items, 'want', lexicon.words)
  const except = items.flatMap((item, at) =>
    stand[at]?.as === 'denied' ? item.senses.map(({ concept }) => concept.term) : [],
  )
  const heads = items.flatMap((_item, at) => (isHead(items, stand, at) ? [at] : []))
  const bold = heads.filter((at) => items[at]?.senses.some(({ shy }) => !shy))
  const named = specific(items, bold.length > 0 ? bold : heads)
  const words = items
    .filter((item, at) => isContent(item) && stand[at]?.as === 'offered')
    .flatMap((item) => item.words)

  let targets = unique(
    named.flatMap(({ at, senses }) =>
      senses.map((sense) => targetOf(items, stand, at, sense, named.length === 1)),
    ),
  )
  if (targets.length === 0 && except.length > 0 && isOpen(items))
    targets = [{ term: anything, name: 'anything that grows', with: [], traits: noTraits }]
  if (targets.length === 0 && except.length === 0) targets = ofWords(items, stand)
  return { targets, except, words }
}

function isHead(items: readonly Item[], stand: readonly Standing[], at: number): boolean {
  const [item, standing] = [items[at], stand[at]]
  if (!item || !standing || item.senses.length === 0) return false
  if (standing.as !== 'offered' || standing.modifier) return false
  return !isForm(items, at)
}

/** "Trees" in "apple trees" and "canes" in "Tulameen canes" say only how they come. */
export function isForm(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!item || !before || item.gap !== 'none' || !(isGroupOnly(item) || isThingLikeForm(item))) return false
  return before.senses.length > 0 && !before.plural && !isThing(before) && !isGroupOnly(before)
}

function isThingLikeForm(item: Item): boolean {
  return isThing(item) && item.roles.has('forms')
}

function isContent(item: Item): boolean {
  return item.senses.length === 0 && item.roles.size === 0 && !item.number
}

interface NamedAt {
  readonly at: number
  readonly senses: readonly Sense[]
}

const joining: ReadonlySet<Gap> = new Set(['none', 'dash'])

/** "Brandywine tomatoes" wants Brandywine, not any tomato; of two meanings the one that fits the names beside it. */
function specific(items: readonly Item[], heads: readonly number[]): NamedAt[] {
  const named = heads.map((at) => ({ at, senses: fitting(items, heads, at) }))
  return named.filter(
    ({ at, senses }) =>
      !named.some(
        (other) => other.at !== at && isBeside(items, at, other.at) && isNarrower(other.senses, senses),
      ),
  )
}

/** The meanings of a name that belong to another name of the text; all of them when none does. */
export function fitting(items: readonly Item[], heads: readonly number[], at: number): readonly Sense[] {
  const senses = items[at]?.senses ?? []
  const bold = senses.filter(({ shy }) => !shy)
  const own = bold.length > 0 ? bold : senses
  if (own.length < 2) return own
  const others = heads.filter((other) => other !== at).flatMap((other) => items[other]?.senses ?? [])
  const fit = own.filter(({ concept }) =>
    others.some((other) => other.concept !== concept && concept.covers.has(other.concept.term)),
  )
  return fit.length > 0 ? fit : own
}

function isNarrower(senses: readonly Sense[], than: readonly Sense[]): boolean {
  return than.some((wide) =>
    senses.some(({ concept }) => concept !== wide.concept && concept.covers.has(wide.concept.term)),
  )
}

function isBeside(items: readonly Item[], a: number, b: number): boolean {
  const between = items.slice(Math.min(a, b) + 1, Math.max(a, b) + 1)
  return between.every((item) => joining.has(item.gap) && !item.roles.has('joins'))
}

function targetOf(
  items: readonly Item[],
  stand: readonly Standing[],
  at: number,
  { concept, name }: Sense,
  isOnly: boolean,
): Target {
  return {
    term: concept.term,
    name,
    concept,
    with: concept.kind === 'thing' ? modifiersOf(items, stand, at) : [],
    traits: traitsAt(items, at, isOnly),
  }
}

/** The words that say which cage: "tomato" in "tomato cages" and in "cages for tomatoes". */
function modifiersOf(items: readonly Item[], stand: readonly Standing[], at: number): string[] {
  const words: string[] = []
  for (let index = at - 1; index >= 0 && items[index + 1]?.gap === 'none'; index -= 1) {
    const item = items[index]
    if (!item || item.roles.has('joins')) break
    if (isContent(item) || stand[index]?.modifier) words.push(...item.words)
    else if (item.roles.has('fillers') || item.roles.has('purpose')) break
  }
  for (let index = at + 1; index < items.length; index += 1) {
    const item = items[index]
    if (item && item.senses.length > 0 && stand[index]?.as === 'aside') words.push(...item.words)
  }
  return words
}

function isOpen(items: readonly Item[]): boolean {
  return items.some(({ words }) =>
    /^(?:any|anything|all|everything|whatever|something)$/.test(words[0] ?? ''),
  )
}

/** What the lexicon knows no name for is wanted by its words: the last is the thing, the others say which. */
function ofWords(items: readonly Item[], stand: readonly Standing[]): Target[] {
  const wanted = items.filter((_item, at) => stand[at]?.as === 'offered')
  const tiers: ((item: Item) => boolean)[] = [
    isContent,
    (item) => item.roles.has('heads') || item.roles.has('containers'),
    (item) => item.roles.has('forms'),
    (item) => !item.roles.has('fillers') && !item.roles.has('seeking') && !item.number,
    () => true,
  ]
  for (const [index, tier] of tiers.entries()) {
    const chosen = index === 0 ? wanted.filter((item) => tier(item) || tiers[1]?.(item)) : wanted.filter(tier)
    if (!chosen.some(tier)) continue
    const targets: Target[] = []
    let phrase: string[] = []
    const close = () => {
      const [head] = phrase.slice(-1)
      if (head !== undefined)
        targets.push({
          term: wordTerm(head),
          name: phrase.join(' '),
          with: phrase.slice(0, -1),
          traits: noTraits,
        })
      phrase = []
    }
    for (const item of wanted) {
      if (item.gap === 'comma' || item.gap === 'stop' || item.roles.has('joins')) close()
      if (chosen.includes(item)) phrase.push(...item.words)
    }
    close()
    return unique(targets)
  }
  return []
}

function unique(targets: readonly Target[]): Target[] {
  const seen = new Set<string>()
  return targets.filter(({ term, with: words, traits }) => {
    const key = [term, ...words, ...traits.flatMap(({ values }) => values)].join(' ')
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
