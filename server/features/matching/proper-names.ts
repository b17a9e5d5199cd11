import type { Item } from './recognize.ts'
import type { Role, Words } from './words.ts'

/** Returns the indexes of the names that are those of persons, pets and places: "ask for Rose", "near Maple", "Clover, our dog". */
export function properNames(items: readonly Item[], words: Words): Set<number> {
  const found = new Set<number>()
  const hasBeings = items.some(({ roles }) => roles.has('beings'))
  for (const at of items.keys()) if (isProperName(items, at, words, hasBeings)) found.add(at)
  // "Hortensia and Dalia are singing": the verb tells about both.
  for (const at of [...found])
    if (items[at - 1]?.roles.has('conjunctions') && mayBeProper(items, at - 2, words)) found.add(at - 2)
  return found
}

function isProperName(items: readonly Item[], at: number, words: Words, hasBeings: boolean): boolean {
  const [before, item, after] = [items[at - 1], items[at], items[at + 1]]
  if (!item || item.senses.length === 0) return false
  const isProper = mayBeProper(items, at, words)
  const follows = (role: Role) => item.gap === 'none' && before?.roles.has(role) === true
  const precedes = (role: Role) => after?.gap === 'none' && after.roles.has(role)
  // "Familia Robles", "Residencial Las Magnolias"
  const isCued =
    (follows('name_cues') && !before?.isPossessive) ||
    (follows('function_words') && isNameCue(items, at - 2, before))
  if (
    follows('function_words') &&
    isNameCue(items, at - 3, items[at - 2]) &&
    items[at - 2]?.roles.has('links')
  )
    return true
  if (isCued && (isProper || !item.isPlural || words.properNames.has(item.words.join('')))) return true
  const isTitled = precedes('articles') && isBeing(items[at + 2])
  if ((precedes('appositions') || isTitled) && mayBeName(items, at)) return true
  if (!isProper) return false
  if (item.isPossessive && after?.gap === 'none') return true
  return item.isProper || hasBeings || follows('name_places')
}

/** Recognizes "clown" in "Radish the clown". */
function isBeing(item: Item | undefined): boolean {
  return item?.gap === 'none' && (item.roles.has('beings') || item.roles.has('heads'))
}

function isNameCue(items: readonly Item[], at: number, after: Item | undefined): boolean {
  return after?.gap === 'none' && items[at]?.roles.has('name_cues') === true
}

/** Returns whether a name is on the list of those that others bear. */
function mayBeProper(items: readonly Item[], at: number, { properNames: names }: Words): boolean {
  return mayBeName(items, at) && names.has(items[at]?.words.join('') ?? '')
}

/** Returns whether a name is in the singular. */
function mayBeName(items: readonly Item[], at: number): boolean {
  const item = items[at]
  return item !== undefined && item.senses.length > 0 && (!item.isPlural || item.isPossessive)
}
