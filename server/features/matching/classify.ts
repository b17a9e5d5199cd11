import type { Item } from './recognize.ts'
import type { Gap } from './tokenize.ts'
import type { Role, Words } from './words.ts'

/** An item with its role in the text. Later words may still change it while the text is classified. */
export interface ClassifiedItem extends Item {
  /** `offered` (in a want: wanted), `denied` ("no tomatoes"), or only `mentioned` ("great with basil"). */
  status: 'offered' | 'denied' | 'mentioned'
  /** True if words such as "also have" offer it explicitly. */
  isExplicit: boolean
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

    const change = item.senses.length > 0 ? undefined : statusChangeOf(item, side)
    if (isGiving && roles.has('purpose')) setStatus('offered')
    else if (change) {
      isGiving = side === 'want' && roles.has('giving')
      setStatus(change.status, change.scope)
    } else if (item.senses.length === 0 && roles.has('purpose')) {
      if (status === 'offered' && isPurpose(items, at)) setStatus('mentioned')
    } else if (!roles.has('function_words')) hasName = true

    if (item.senses.length === 0) {
      if (roles.has('offering') && status === 'offered') isExplicit = true
      if (side === 'listing' && isGoneHeading(items, at)) setStatus('denied', 'sentence')
      else if (roles.has('gone') || (side === 'listing' && isGoneRemark(items, at))) markDenied(classified)
      if (roles.has('offered')) markExplicit(classified, gap)
    }
    classified.push({
      ...item,
      status,
      isExplicit: isExplicit && status === 'offered',
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

/** Recognizes a purpose as in "cages for tomatoes", unlike "for sale", "$3 for tomatoes" and "seeds for tomatoes". */
function isPurpose(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  if (!next || next.roles.has('not_a_purpose')) return false
  for (let index = at - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (!item) return false
    const { roles } = item
    if (item.senses.length > 0 || (roles.size === 0 && !item.isNumber)) return true
    if (item.gap === 'stop') return false
  }
  return false
}

/** Recognizes "kale (taken)" and "kale plants wanted", but not "lavender taken as cuttings". */
function isGoneRemark(items: readonly Item[], at: number): boolean {
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]]
  return before !== undefined && item?.roles.has('status_labels') === true && next?.gap !== 'none'
}

/** Recognizes a remark before the names that it denies: "Sold out: peppers, eggplants", "[TAKEN] figs". */
function isGoneHeading(items: readonly Item[], at: number): boolean {
  const [item, next] = [items[at], items[at + 1]]
  if (!item || (at > 0 && item.gap !== 'stop') || (next?.gap !== 'dash' && next?.gap !== 'none')) return false
  if (item.roles.has('seeking') || !(item.roles.has('gone') || item.roles.has('status_labels'))) return false
  for (const { gap, senses, roles } of items.slice(at + 1)) {
    if (gap === 'stop' || roles.has('scope_terminators')) return false
    if (senses.length > 0) return true
  }
  return false
}

/** Denies the names at the end, with those that "and" joins to them: "lemons and limes are gone". */
function markDenied(classified: readonly ClassifiedItem[]): void {
  let denied = false
  for (let at = classified.length - 1; at >= 0; at -= 1) {
    const [before, item] = [classified[at - 1], classified[at]]
    if (!item) return
    if (item.senses.length > 0 || item.roles.size === 0) {
      item.status = 'denied'
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
  if (item.senses.length === 0 && item.roles.size > 0) return false
  const next = items[at + 1]
  if (!next) return false
  if (sharesHead(items, at) || isComparison(items, at)) return true
  if (next.gap !== 'none') return false
  const named = item.senses.length > 0
  if (named && !item.isPlural && isCropName(next) && !isGroupOnly(next)) {
    if (words.attributiveCrops.has(item.words.join(''))) return true
  }
  if (named && !item.isPlural && isUnknown(next) && next.isPlural) return true
  return leadsToHead(items, at, item.isPlural, hasCategory)
}

/** Recognizes two names before one head: "azalea & camellia fertilizer", "lettuce/salad spinner". */
function sharesHead(items: readonly Item[], at: number): boolean {
  const [item, next, after] = items.slice(at, at + 3)
  if (!item || !next || item.isPlural || item.senses.length === 0 || isThing(item)) return false
  const isNamed = (other: Item | undefined) =>
    other !== undefined && other.senses.length > 0 && !isThing(other)
  if (next.isJoined) return next.roles.has('heads')
  if (next.gap !== 'none' || !next.roles.has('conjunctions') || after?.gap !== 'none') return false
  return isNamed(after) && leadsToHead(items, at + 2, after.isPlural)
}

/** Recognizes "pea-sized" and "peach colored". */
function isComparison(items: readonly Item[], at: number): boolean {
  const [item, next] = items.slice(at, at + 2)
  if (!item || item.isPlural || item.senses.length === 0 || next?.gap !== 'none') return false
  return /^(?:sized|colou?red|scented|flavou?red|shaped)$/.test(next.words[0] ?? '')
}

const transparentRoles: readonly Role[] = ['forms', 'colors', 'qualifiers']

/** Returns whether the phrase that starts here ends in a thing: "tomato seed tray". */
function leadsToHead(items: readonly Item[], at: number, isPlural: boolean, hasCategory = false): boolean {
  if (isPlural) return false
  for (let index = at + 1; index <= at + 4; index += 1) {
    const item = items[index]
    if (item?.gap !== 'none' || item.isNumber) return false
    const isHead = (isThing(item) && !item.roles.has('forms')) || item.roles.has('heads')
    if (isHead) return true
    if (item.roles.has('containers')) return !hasCategory && index === at + 1
    const { roles } = item
    const passes =
      item.senses.length > 0 || roles.size === 0 || transparentRoles.some((role) => roles.has(role))
    if (!passes) return false
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

function isCropName(item: Item): boolean {
  return item.senses.some(({ concept }) => concept.kind !== 'thing')
}

/** Returns whether a name is only the form of the crop before it: "trees" in "apple trees", "canes" in "Tulameen canes". */
export function isForm(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!item || !before || item.gap !== 'none' || !isGroupOnly(item)) return false
  return before.senses.length > 0 && !before.isPlural && !isThing(before) && !isGroupOnly(before)
}
