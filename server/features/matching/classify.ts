import { properNames } from './proper-names.ts'
import type { Item } from './recognize.ts'
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

export interface Grammar {
  readonly hasCategory?: boolean
  /** True if the description of a title is about something that does not grow. */
  readonly isDescribedOtherwise?: boolean
  /** True if the noun that a phrase is about comes first, as in Spanish. */
  readonly isHeadFirst?: boolean
  /** The code of the text's language. */
  readonly language?: string
  /** Matches words that are no noun in the language. */
  readonly notNouns?: RegExp | undefined
}

/**
 * Classifies the items from left to right. A negation or an exception holds until the end of its clause or sentence. With
 * `hasCategory` the listing offers something that grows: an "arugula bag" is arugula.
 */
export function classify(
  items: readonly Item[],
  side: Side,
  words: Words,
  grammar: Grammar = {},
): ClassifiedItem[] {
  const classified: ClassifiedItem[] = []
  const namesOfOthers = properNames(items, words)
  if (side === 'listing' && !grammar.hasCategory)
    for (const at of besideOtherSubject(items, words, grammar)) namesOfOthers.add(at)
  let status: ClassifiedItem['status'] = 'offered'
  let scope: 'clause' | 'sentence' = 'clause'
  let isExplicit = false
  /** `noun` if a negation is about a word without a meaning here: "no bugs on this kale". */
  let negates: 'something' | 'noun' | undefined
  /** True if words followed the last change of status. A colon right after the change does not end it. */
  let hasWords = false
  const setStatus = (newStatus: ClassifiedItem['status'], newScope: 'clause' | 'sentence' = 'clause') => {
    status = newStatus
    scope = newScope
    hasWords = false
  }

  items.forEach((item, at) => {
    const { roles, gap } = item
    if (gap === 'stop') {
      setStatus('offered')
      isExplicit = false
    } else if (gap === 'dash' && hasWords) setStatus('offered')
    else if (gap === 'comma' && status !== 'offered' && scope === 'clause') setStatus('offered')

    const isPastNegatedNoun = negates === 'noun' && roles.has('function_words')
    const change =
      side === 'listing' && isOfferToTake(items, at) ? offered : statusChangeOf(item, side, status)
    if (isPastNegatedNoun && !change) setStatus('offered')
    else if (change) setStatus(change.status, change.scope)
    else if (roles.has('purpose')) {
      if (followsName(items, at)) setStatus('mentioned')
    } else hasWords = true
    if (change) negates = roles.has('negations') ? 'something' : undefined
    else if (negates && (isUnknown(item) || roles.has('heads'))) negates = 'noun'
    else if (gap !== 'none' || item.senses.length > 0 || isPastNegatedNoun) negates = undefined

    if (roles.has('offering')) isExplicit = true
    if (side === 'listing' && isGoneHeading(items, at)) setStatus('denied', 'sentence')
    else if (isGone(item) || (side === 'listing' && isGoneRemark(items, at))) markDenied(classified)
    classified.push({
      ...item,
      status: namesOfOthers.has(at) ? 'mentioned' : status,
      isExplicit,
      isModifier: isModifierAt(items, at, words, grammar),
    })
  })
  return classified
}

/** The roles of words that tell that a listing is about the crop beside them, whatever else it names. */
const evidenceRoles: readonly Role[] = ['measures', 'forms', 'containers', 'qualifiers']
/** The roles of nouns without a meaning to gardeners. */
const otherNounRoles: readonly Role[] = ['heads', 'name_cues', 'mention_cues']
/** The roles of words that join a noun to what comes before it. */
const linkingRoles: readonly Role[] = ['negations', 'purpose', 'links', 'sources', 'mention_cues']

/**
 * Returns the indexes of the crops in a text that is about something else: "Granada, viaje en grupo", "Cranberries CD". If only the
 * description names another subject, or a word without a meaning here may be one ("Tuna universitaria"), a crop in the plural is
 * offered nevertheless.
 */
function besideOtherSubject(
  items: readonly Item[],
  words: Words,
  { isDescribedOtherwise = false, isHeadFirst = false }: Grammar,
): number[] {
  const isOther = hasOtherSubject(items, isHeadFirst)
  const isDoubtful = isDescribedOtherwise || isDoubtfulCrop(items)
  if (!isOther && !isDoubtful) return []
  return [...items.keys()].filter((at) => {
    if (!isCropName(items[at])) return false
    if (isOther) return true
    const mayBeOther =
      isDescribedOtherwise || isHeadFirst || words.properNames.has(items[at]?.words.join('') ?? '')
    return mayBeOther && items[at]?.isPlural === false
  })
}

/** Returns whether a text has words without a meaning here, and none about crops. */
function isDoubtfulCrop(items: readonly Item[]): boolean {
  const isAboutCrop = ({ roles }: Item) => evidenceRoles.some((role) => roles.has(role))
  return (
    items.some((item) => isUnknown(item)) &&
    !items.some((item) => isAboutCrop(item) || (isCropName(item) && item.isPlural))
  )
}

/** Returns whether a text has a noun without a meaning to gardeners. */
export function hasOtherSubject(items: readonly Item[], isHeadFirst = false): boolean {
  return items.some((_item, at) => isOtherSubject(items, at, isHeadFirst))
}

/** Returns whether a noun without a meaning to gardeners is what the text is about: a "concert", but not in "after the concert". */
function isOtherSubject(items: readonly Item[], at: number, isHeadFirst: boolean): boolean {
  if (!isOtherNoun(items[at]) || (!isHeadFirst && items[at + 1]?.roles.has('comparisons'))) return false
  for (let index = at; items[index]?.gap === 'none'; index -= 1) {
    const before = items[index - 1]
    if (before?.senses.length !== 0) return true
    if (linkingRoles.some((role) => before.roles.has(role))) return false
    const isPreposition = before.roles.has('function_words') && !before.roles.has('articles')
    if (before.gap === 'none' && isPreposition) return false
  }
  return true
}

function isOtherNoun(item: Item | undefined): boolean {
  if (!item || item.senses.length > 0) return false
  if (item.roles.has('beings')) return !item.roles.has('function_words')
  if (!item.roles.has('heads')) return false
  return [...item.roles].every((role) => otherNounRoles.includes(role))
}

/** Returns whether words of seeking precede one of taking: "anyone want kale?", "looking for a home for hostas", "need someone to pick plums". */
function isOfferToTake(items: readonly Item[], at: number): boolean {
  const roles = items[at]?.roles
  if (!roles?.has('seeking') && !roles?.has('taking')) return false
  const isName = ({ senses }: Item) => senses.length > 0
  const start = items.findLastIndex((item, index) => index <= at && (item.gap === 'stop' || isName(item)))
  const end = items.findIndex((item, index) => index > at && (item.gap === 'stop' || isName(item)))
  const phrase = items.slice(Math.max(start, 0), end < 0 ? undefined : end)
  const first = phrase.findIndex(({ roles }) => roles.has('seeking'))
  return phrase.slice(first + 1).some(({ roles }) => roles.has('taking'))
}

interface StatusChange {
  readonly status: ClassifiedItem['status']
  readonly scope?: 'sentence'
}

const offered: StatusChange = { status: 'offered' }

/** Returns the status that a phrase gives to the names after it, and its scope: the clause if there is none. */
function statusChangeOf(
  { roles }: Item,
  side: Side,
  status: ClassifiedItem['status'],
): StatusChange | undefined {
  if (roles.has('exceptions'))
    return status === 'denied' ? { status: 'offered' } : { status: 'denied', scope: 'sentence' }
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

/** Recognizes "lemons are not ripe", but not "avocados, not ripe yet", which are offered. */
function isGone({ roles, gap }: Item): boolean {
  return roles.has('gone') && (gap === 'none' || !roles.has('qualifiers'))
}

/** Distinguishes "cages for tomatoes" from "$3 for tomatoes". */
function followsName(items: readonly Item[], at: number): boolean {
  return items.slice(0, at).some(({ senses }) => senses.length > 0)
}

/** Recognizes "kale (taken)" and "kale plants wanted", but not "eggs, sold by the dozen". */
function isGoneRemark(items: readonly Item[], at: number): boolean {
  return items[at]?.roles.has('status_labels') === true && items[at + 1]?.gap !== 'none'
}

/** Recognizes a remark before the names that it denies: "Sold out: peppers, eggplants", "[TAKEN] figs". */
function isGoneHeading(items: readonly Item[], at: number): boolean {
  const item = items[at]
  if (!item || (at > 0 && item.gap !== 'stop')) return false
  if (!item.roles.has('gone') && !item.roles.has('status_labels')) return false
  const nameOrStop = items.slice(at + 1).find(({ gap, senses }) => gap === 'stop' || senses.length > 0)
  return nameOrStop !== undefined && nameOrStop.gap !== 'stop'
}

/** Denies the last name, with its form ("kale plants") and those that "and" joins to it ("lemons and limes are gone"). */
function markDenied(classified: readonly ClassifiedItem[]): void {
  for (let at = classified.length - 1; at >= 0; at -= 1) {
    const [before, item] = [classified[at - 1], classified[at]]
    if (!item || (item.senses.length === 0 && item.roles.size > 0)) continue
    item.status = 'denied'
    if (!item.roles.has('forms') && !before?.roles.has('conjunctions')) return
  }
}

function isModifierAt(items: readonly Item[], at: number, words: Words, grammar: Grammar): boolean {
  const { hasCategory = false, isHeadFirst = false } = grammar
  const [item, next] = [items[at], items[at + 1]]
  if (isHeadFirst && isModifierAfterHead(items, at)) return true
  if (!item || !next || (item.senses.length === 0 && item.roles.size > 0 && !item.roles.has('containers')))
    return false
  if (isLike(next)) return true
  if (next.gap !== 'none') return false
  if (next.roles.has('comparisons') && !isThing(item)) return true
  if (next.roles.has('fillings') && isThing(item)) return true
  if (next.roles.has('links') && isContainer(item, words)) return true
  if (item.senses.length === 0 && item.roles.size > 0) return false
  if (isHeadFirst) return false
  if (isColorOf(item, next)) return true
  if (isThing(item) && !item.isPlural && isCropName(next) && (hasCategory || next.isPlural)) return true
  if (item.senses.length > 0 && !item.isPlural) {
    const isAttributive = words.attributiveCrops.has(item.words.join(''))
    if (isAttributive && isCropName(next) && !isGroupOnly(next)) return true
    if (isUnknown(next) && (next.isPlural || isOtherHead(item, next, grammar))) return true
  }
  return leadsToHead(items, at, item.isPlural, hasCategory)
}

/** Recognizes a color that is also the name of a group: "green" in "green garlic" is none of the greens. */
function isColorOf(item: Item, next: Item): boolean {
  return item.color !== undefined && !item.isPlural && isGroupOnly(item) && isCropName(next)
}

/** Recognizes the second word of "pea-like". */
function isLike({ isJoined, roles }: Item): boolean {
  return isJoined && roles.has('mention_cues')
}

/** Returns whether a name or word holds what the words after it name: "5 gallon bucket of lemons". */
function isContainer(item: Item, { phrases }: Words): boolean {
  if (item.senses.length === 0) return item.roles.has('containers')
  return isThing(item) && phrases.get(item.words.at(-1) ?? '')?.has('containers') === true
}

/** Returns whether a name specifies the noun before it in a language whose nouns come first: "mesa de roble", "jaula de tomate", "bolso rosa". */
function isModifierAfterHead(items: readonly Item[], at: number): boolean {
  const [link, item] = [items[at - 1], items[at]]
  if (!item || !link || item.gap !== 'none' || item.senses.length === 0) return false
  if (item.roles.has('colors')) return link.isOtherWord || isHead(link)
  if (link.roles.has('colors') && !item.isPlural) return true
  if (!link.roles.has('links')) return false
  for (let index = at - 1; index > 0 && items[index]?.gap === 'none'; index -= 1) {
    const head = items[index - 1]
    if (head && (isHead(head) || (isThing(item) && isCropName(head)))) return true
    if (!head?.roles.has('qualifiers') || head.roles.has('measures')) return false
  }
  return false
}

/** Returns whether a noun is what its phrase is about: no container, measure or form of what follows it. */
function isHead(item: Item): boolean {
  const { roles, isOtherWord } = item
  if (roles.has('containers') || roles.has('measures') || roles.has('forms')) return false
  return isOtherWord || isUnknown(item) || roles.has('heads') || isThing(item)
}

/** Returns whether a word after a crop may be the noun that the phrase is about: "lime cruiser", but not "kale bolting". */
function isOtherHead({ senses }: Item, next: Item, { language, notNouns }: Grammar): boolean {
  const word = next.words[0] ?? ''
  return (
    next.isOtherWord &&
    word.length >= 4 &&
    notNouns?.test(word) !== true &&
    senses.every((sense) => sense.concept.kind !== 'thing' && sense.language === language)
  )
}

const transparentRoles: readonly Role[] = ['forms', 'qualifiers', 'colors']

/** Returns whether the phrase that starts here ends in a thing: "tomato seed tray". */
function leadsToHead(items: readonly Item[], at: number, isPlural: boolean, hasCategory = false): boolean {
  if (isPlural) return false
  for (const item of items.slice(at + 1)) {
    if (item.gap !== 'none' || item.isNumber) return false
    const isHead = (isThing(item) && !item.roles.has('forms')) || item.roles.has('heads')
    if (isHead) return true
    const { roles } = item
    if (roles.has('containers')) return !hasCategory
    if (roles.size > 0 && !transparentRoles.some((role) => roles.has(role))) return false
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

function isCropName(item: Item | undefined): boolean {
  return item?.senses.some(({ concept }) => concept.kind !== 'thing') === true
}

/** Returns whether a name is only the form of the crop beside it: "trees" in "apple trees", "flor" in "flor de calabaza". */
export function isForm(items: readonly Item[], at: number): boolean {
  const [before, item, link, after] = [items[at - 1], items[at], items[at + 1], items[at + 2]]
  if (!item || !isGroupOnly(item)) return false
  if (item.gap === 'none' && before && before.senses.length > 0) return true
  const isLinked = link?.gap === 'none' && link.roles.has('links') && after?.gap === 'none'
  return isLinked && item.form !== undefined && isCropName(after)
}
