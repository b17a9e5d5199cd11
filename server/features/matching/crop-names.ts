import type { Crop } from './crops.ts'
import { wordsOf } from './fold.ts'
import { singular } from './plurals.ts'

/** A name of a crop with its singular words. */
export interface CropName {
  readonly name: string
  readonly words: string[]
}

/** Returns the crop, then the crop that it is a kind of, and so on. */
export function lineage(crop: Crop, byKey: ReadonlyMap<string, Crop>): Crop[] {
  const line = new Set([crop])
  for (const one of line) {
    for (const key of one.of) {
      const parent = byKey.get(key)
      if (parent) line.add(parent)
    }
  }
  return [...line]
}

/** Returns the names of a crop: "bell-pepper" is "bell pepper", unless its own names say otherwise ("Brussels sprout"). */
export function namesOfCrop(crop: Crop): CropName[] {
  const own = crop.key.replaceAll('-', ' ')
  const names = [own, ...crop.names].map((name) => ({ name, words: wordsOf(name).map(singular) }))
  const [plain, ...others] = names
  const folded = plain?.words.join(' ')
  const written = others.find(({ words }) => words.join(' ') === folded)
  return written ? [written, ...others] : names
}

/** Returns the name of a cultivar without that of its crop: "Merlin" for "Merlin Beet". */
export function withoutEnding(words: string[], ending: readonly string[]): string[] {
  const length = words.length - ending.length
  return length > 0 && ending.every((word, at) => words[length + at] === word) ? words.slice(0, length) : []
}
