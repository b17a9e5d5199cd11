import type { Crop } from './crops.ts'
import { singular } from './plurals.ts'
import { wordsOf } from './tokenize.ts'

/** A name of a crop with its singular words. */
export interface CropName {
  readonly name: string
  readonly words: string[]
}

/** Returns the crop, then the crop that it is a kind of, and so on. */
export function lineage(crop: Crop, byKey: ReadonlyMap<string, Crop>): Crop[] {
  // The loop also visits the parents that it adds.
  const crops = new Set([crop])
  for (const { of } of crops) {
    for (const key of of) {
      const parent = byKey.get(key)
      if (parent) crops.add(parent)
    }
  }
  return [...crops]
}

/** Returns the names of a crop. The first is its key as words, spelled as among its other names if it is there ("Brussels sprout"). */
export function namesOfCrop(crop: Crop): CropName[] {
  const keyWords = crop.key.replaceAll('-', ' ')
  const names = [keyWords, ...crop.names].map((name) => ({ name, words: wordsOf(name).map(singular) }))
  const [keyName, ...others] = names
  const folded = keyName?.words.join(' ')
  const spelled = others.find(({ words }) => words.join(' ') === folded)
  return spelled ? [spelled, ...others] : names
}

/** Returns the words of a cultivar's name without the ending: "Merlin" for "Merlin Beet". Returns none if it has another ending. */
export function withoutEnding(words: string[], ending: readonly string[]): string[] {
  const length = words.length - ending.length
  return length > 0 && ending.every((word, at) => words[length + at] === word) ? words.slice(0, length) : []
}

/** Returns the first word of a Latin name. */
export function genusOf(latin: string): string {
  return latin.split(/\s/)[0] ?? ''
}

/** Returns the ways to write a Latin name: "Citrus × limon", "Citrus limon", "C. limon". */
export function latinNames(latin: string): string[] {
  const genus = genusOf(latin)
  const rest = latin
    .replace(/\s[x×](?=\s)/g, '')
    .split(/\s+/)
    .slice(1)
  const short = rest.filter((word) => !/^(?:var|subsp|ssp|f|cv)\.?$/.test(word))
  return [
    [genus, ...rest].join(' '),
    ...(rest.length === 1 ? [`${genus} x ${rest[0]}`] : []),
    ...(short.length > 0 ? [genus, genus[0]].map((first) => [first, ...short].join(' ')) : []),
  ]
}

/** Returns whether a name consists of crops: "Lemon", "Oranges and Lemons". */
export function namesCrops(words: readonly string[], crops: ReadonlySet<string>): boolean {
  const and = words.indexOf('and')
  const parts = and < 0 ? [words] : [words.slice(0, and), words.slice(and + 1)]
  return parts.every((part) => crops.has(part.join('')))
}
