import type { Item } from './recognize.ts'
import type { Gap } from './tokenize.ts'
import type { Role, Words } from './words.ts'

/** An item with its role in the text. Later words may still change it while the text is classified. */
export interface ClassifiedItem extends Item {
  /** `offered` (in a want: wanted), `denied` ("no tomatoes"), or only `mentioned` ("great with basil"). */
  status: 'offered' | 'denied' | 'mentioned'
  /** True if words such as "also have" offer it explicitly. */
  isExplicit: boolean
  /** True if it is said to be gone: "lemons are sold out". */
  isGone: boolean
  /** True if it specifies the name after it: "tomato" in "tomato cages". */
  readonly isModifier: boolean
}

/** The kind of text. "Looking for" precedes the wanted crop in a want, and the crop to trade for in a listing. */
export type Side = 'want' | 'listing'

/**
 * Classifies the items from left to right. A negation or an exception holds until the end of its clause or sentence. With
 * `hasCategory` the listing offers something that grows: an "arugula bag" is arugula.
 */
export function classify(
  items: readonly Item[],
  side: Side,
  words: Words,
  hasCategory = false,
): ClassifiedItem[] {
  const classified: ClassifiedItem[] = []
  let status: ClassifiedItem['status'] = 'offered'
  let scope: 'clause' | 'sentence' = 'clause'
  let isExplicit = false
  let isGiving = false
  /** True if a name followed the last change of status. A colon right after the change does not end it. */
  let hasName = false
  const setStatus = (newStatus: ClassifiedItem['status'], newScope: 'clause' | 'sentence' = 'clause') => {
    status = newStatus
    scope = newScope
    hasName = false
  }

  items.forEach((item, at) => {
    const { roles, gap } = item
    if (gap === 'stop') {
      setStatus('offered')
      isExplicit = false
      isGiving = false
    } else if (gap === 'dash' && hasName) setStatus('offered')
    else if (gap === 'comma' && status !== 'offered' && scope === 'clause') setStatus('offered')

    const change =
      item.senses.length > 0
        ? undefined
        : (questionAt(items, at, side) ?? statusChangeOf(item, side) ?? labelAt(items, at, side))
    if (isGiving && roles.has('purpose')) setStatus('offered')
    else if (isAllBut(items, at)) setStatus('denied')
    else if (change) {
      isGiving = side === 'want' && roles.has('giving')
      if (status === 'offered' || change.status === 'offered' || change.status === 'denied')
        setStatus(change.status, change.scope ?? 'clause')
    } else if (item.senses.length === 0 && roles.has('purpose')) {
      if (status === 'offered' && isPurpose(items, at)) setStatus('mentioned')
    } else if (!roles.has('function_words')) hasName = true

    if (item.senses.length === 0) {
      if (roles.has('offering') && status === 'offered') isExplicit = true
      if (roles.has('gone') || (side === 'listing' && isGoneRemark(items, at))) markDenied(classified)
      if (roles.has('offered')) markExplicit(classified, gap)
    }
    classified.push({
      ...item,
      status,
      isExplicit: isExplicit && status === 'offered',
      isGone: false,
      isModifier: isModifierAt(items, at, words, hasCategory),
    })
  })
  return classified
}

/** Returns the status that a phrase gives to the names after it, and its scope: the clause if there is none. */
function statusChangeOf(
  { roles }: Item,
  side: Side,
): { status: ClassifiedItem['status']; scope?: 'sentence' } | undefined {
  if (roles.has('complaints')) return { status: side === 'want' ? 'denied' : 'offered' }
  if (roles.has('exceptions')) return { status: 'denied', scope: 'sentence' }
  if (roles.has('negations')) return { status: 'denied' }
  if (roles.has('giving'))
    return side === 'want' ? { status: 'mentioned', scope: 'sentence' } : { status: 'offered' }
  if (roles.has('trading')) return { status: 'mentioned', scope: 'sentence' }
  if (roles.has('seeking'))
    return side === 'want' ? { status: 'offered' } : { status: 'mentioned', scope: 'sentence' }
  if (roles.has('scope_terminators')) return { status: 'offered' }
  if (roles.has('mention_cues')) return { status: 'mentioned' }
  return undefined
}

/** Recognizes questions such as "Got kale?", by which a listing asks for kale. */
function questionAt(
  items: readonly Item[],
  at: number,
  side: Side,
): { status: ClassifiedItem['status']; scope?: 'sentence' } | undefined {
  const item = items[at]
  if (side === 'want' || !item?.inQuestion || (at > 0 && item.gap !== 'stop')) return undefined
  return item.roles.has('asking') ? { status: 'mentioned', scope: 'sentence' } : undefined
}

/** Recognizes labels before a name, such as "SOLD: kale". */
function labelAt(
  items: readonly Item[],
  at: number,
  side: Side,
): { status: ClassifiedItem['status']; scope: 'sentence' } | undefined {
  const [item, next] = [items[at], items[at + 1]]
  const isLabel =
    item?.roles.has('status_labels') && (at === 0 || item.gap === 'stop') && next?.gap === 'dash'
  return side === 'listing' && isLabel ? { status: 'denied', scope: 'sentence' } : undefined
}

/** Recognizes "any greens but kale". */
function isAllBut(items: readonly Item[], at: number): boolean {
  if (items[at]?.words[0] !== 'but' || items[at]?.gap !== 'none') return false
  return items.slice(Math.max(0, at - 3), at).some(({ words }) => /^(?:any|all|every)$/.test(words[0] ?? ''))
}

/** Recognizes a purpose as in "cages for tomatoes", unlike "for sale", "$3 for tomatoes" and "seeds for tomatoes". */
function isPurpose(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  if (!next || next.isNumber || next.roles.has('not_a_purpose') || items[at - 1]?.isNumber) return false
  for (let index = at - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (!item) return false
    const { roles } = item
    if (item.senses.length > 0 || (roles.size === 0 && !item.isNumber)) return true
    if (roles.has('heads') || roles.has('containers')) return true
    if (item.gap === 'stop') return false
  }
  return false
}

/** Recognizes "kale (taken)" and "kale plants wanted", but not "cuttings in June", "lavender taken as cuttings" or "kale, no tools needed". */
function isGoneRemark(items: readonly Item[], at: number): boolean {
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]]
  if (!before || !item?.roles.has('status_labels') || (next && next.gap === 'none')) return false
  return item.gap === 'dash' || before.senses.length > 0 || before.roles.has('forms')
}

/** Denies the names at the end, with those that "and" joins to them: "lemons and limes are gone". */
function markDenied(classified: readonly ClassifiedItem[]): void {
  let denied = false
  for (let at = classified.length - 1; at >= 0; at -= 1) {
    const [before, item] = [classified[at - 1], classified[at]]
    if (!item) return
    if (item.senses.length > 0 || item.roles.size === 0) {
      item.status = 'denied'
      item.isGone = true
      denied = true
      const isForm = item.roles.has('forms') && item.gap === 'none' && (before?.senses.length ?? 0) > 0
      if (!isForm && !before?.roles.has('conjunctions')) return
    } else if (denied && !item.roles.has('conjunctions')) return
    if (item.gap === 'stop') return
  }
}

/** Marks the names of the last sentence as explicitly offered: "leeks and chard available too". */
function markExplicit(classified: readonly ClassifiedItem[], gap: Gap): void {
  for (const item of classified.toReversed()) {
    if (item.status === 'offered') item.isExplicit = true
    if (item.gap === 'stop' || gap === 'stop') return
  }
}

function isModifierAt(items: readonly Item[], at: number, words: Words, hasCategory: boolean): boolean {
  const item = items[at]
  if (!item) return false
  if (isArtificial(items, at)) return true
  if (item.senses.length === 0 && item.roles.size > 0) return false
  const next = items[at + 1]
  if (!next) return false
  if (sharesHead(items, at) || isSize(items, at)) return true
  if (next.gap !== 'none' || next.isQuoted) return false
  const named = item.senses.length > 0
  if (named && !item.isPlural && isCropName(next) && !isGroupOnly(next)) {
    if (words.attributiveCrops.has(item.words.join('')) || isGroupOnly(item)) return true
  }
  if (named && !item.isPlural && !isForeignName(item) && isUnknown(next) && next.isPlural) return true
  return leadsToHead(items, at, item.isPlural, hasCategory) || (isThing(item) && leadsToPlants(items, at))
}

/** Recognizes two names before one head: "azalea & camellia fertilizer", "lettuce/salad spinner". */
function sharesHead(items: readonly Item[], at: number): boolean {
  const [item, next, after] = items.slice(at, at + 3)
  if (!item || !next || item.isPlural || item.senses.length === 0 || isThing(item)) return false
  const isNamed = (other: Item | undefined) =>
    other !== undefined && other.senses.length > 0 && !isThing(other)
  if (next.isJoined)
    return next.roles.has('heads') || (isNamed(next) && leadsToHead(items, at + 1, next.isPlural))
  if (next.gap !== 'none' || !next.roles.has('conjunctions') || after?.gap !== 'none') return false
  return isNamed(after) && leadsToHead(items, at + 2, after.isPlural)
}

/** Recognizes "pea-sized". */
function isSize(items: readonly Item[], at: number): boolean {
  const [item, next] = items.slice(at, at + 2)
  if (!item || item.isPlural || item.senses.length === 0 || next?.gap !== 'none') return false
  return next.words[0] === 'sized'
}

/** Recognizes imitations: "plastic tomatoes", "faux ivy". */
function isArtificial(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!before || !item || item.gap !== 'none' || !(isCropName(item) || item.roles.has('forms'))) return false
  return before.roles.has('imitations')
}

/** Recognizes a thing before a form of plants: "hanging basket plants". */
function leadsToPlants(items: readonly Item[], at: number): boolean {
  const [item, next] = [items[at], items[at + 1]]
  return item?.isPlural === false && next?.gap === 'none' && next.roles.has('forms') && !isThing(next)
}

const transparentRoles: readonly Role[] = ['forms', 'colors', 'qualifiers']

/** Returns whether the phrase that starts here ends in a thing: "tomato seed tray". */
function leadsToHead(items: readonly Item[], at: number, isPlural: boolean, hasCategory = false): boolean {
  if (isPlural) return false
  for (let index = at + 1; index <= at + 4; index += 1) {
    const item = items[index]
    if (item?.gap !== 'none' || item.isNumber || item.isQuoted) return false
    const isHead = (isThing(item) && !item.roles.has('forms')) || item.roles.has('heads')
    if (isHead && !leadsToPlants(items, index)) return true
    if (item.roles.has('containers')) return !hasCategory && index === at + 1
    const { roles } = item
    const passes =
      isHead || item.senses.length > 0 || roles.size === 0 || transparentRoles.some((role) => roles.has(role))
    if (!passes || (item.isPlural && !roles.has('forms'))) return false
  }
  return false
}

export function isThing(item: Item): boolean {
  return item.senses.some(({ concept }) => concept.kind === 'thing')
}

export function isGroupOnly(item: Item): boolean {
  return item.senses.length > 0 && item.senses.every(({ concept }) => concept.kind === 'group')
}

/** Returns whether the lexicon does not know a word: "bars" of "lemon bars", which are no lemons. */
export function isUnknown({ senses, roles, isNumber }: Item): boolean {
  return senses.length === 0 && roles.size === 0 && !isNumber
}

/** Returns whether a name is foreign. Most other languages put adjectives after it: "pommes de terre nouvelles". */
function isForeignName({ senses }: Item): boolean {
  return senses.every(({ isForeign }) => isForeign)
}

function isCropName(item: Item): boolean {
  return item.senses.some(({ concept }) => concept.kind !== 'thing')
}

/** Returns whether a name is only the form of the crop before it: "trees" in "apple trees", "canes" in "Tulameen canes". */
export function isForm(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!item || !before || item.gap !== 'none' || !isGroupOnly(item)) return false
  return before.senses.length > 0 && !before.isPlural && !isThing(before) && !isGroupOnly(before)
}
