import { type Concept, Cultivar } from './concept.ts'
import type { Foreign } from './crops.ts'
import type { Offer } from './extract-offer.ts'
import type { ExtractedWant, Target } from './extract-want.ts'
import { lexicon } from './lexicon.ts'
import { anything } from './terms.ts'

// The key of a crop groups wants and listings: the term of a crop, thing or group of the lexicon, or the words of a want without one.

/** Precedes the words of a want that the lexicon has no name for. No term of a concept begins with it. */
export const wordsPrefix = 'words:'

/** Returns the keys of what a want asks for: one for each name. A cultivar counts as its crop. */
export function cropsOfWant({ targets }: ExtractedWant): string[] {
  const named = targets.filter(({ term, isWider }) => term !== anything && !isWider)
  const byName = Map.groupBy(named, ({ name }) => name)
  return [...new Set([...byName.values()].map((meanings) => keyOfTarget(meanings)))]
}

/** Returns the key of a name with several meanings: a crop before a group, and before its kinds ("kale", not "curly kale"). */
function keyOfTarget(meanings: readonly Target[]): string {
  const concepts = meanings.flatMap(({ concept }) => concept ?? [])
  const crops = concepts.filter(({ kind }) => kind !== 'group')
  const concept =
    crops.find(({ term }) => crops.every(({ ancestors }) => ancestors.has(term))) ?? crops[0] ?? concepts[0]
  return concept ? cropOf(concept).term : wordsPrefix + (meanings[0]?.name ?? '')
}

function cropOf(concept: Concept): Concept {
  return concept instanceof Cultivar ? concept.parent : concept
}

/** Returns the keys of the wants that an offer fits, except those in words. */
export function cropsOfOffer({ byTerm }: Offer): string[] {
  return [...byTerm.keys()].filter((term) => {
    const concept = lexicon().concept(term)
    return concept !== undefined && !(concept instanceof Cultivar)
  })
}

/** Matches names in the script of a language: the lexicon also has transliterations, such as "thoum". */
const scripts: Readonly<Record<string, RegExp>> = { ar: /^\p{Script=Arabic}/u }

let cachedNames: ReadonlyMap<string, Foreign> | undefined

/** Returns the names of the lexicon's entries by term and language. Reads them on the first call. */
function foreignNames(): ReadonlyMap<string, Foreign> {
  const { crops, groups, things } = lexicon().data
  cachedNames ??= new Map<string, Foreign>([
    ...crops.map(({ key, foreign, spoken }) => [key, { ...foreign, ...spoken }] as const),
    ...groups.map(({ key, foreign }) => [`group:${key}`, foreign] as const),
    ...things.map(({ key, foreign }) => [`thing:${key}`, foreign] as const),
  ])
  return cachedNames
}

/** Returns the name of a key in a language, in English if the lexicon has none, or the words of the want. */
export function cropName(key: string, language: string): string {
  if (key.startsWith(wordsPrefix)) return key.slice(wordsPrefix.length)
  const names = foreignNames().get(key)?.[language] ?? []
  return names.find((name) => scripts[language]?.test(name) ?? true) ?? lexicon().concept(key)?.name ?? key
}
