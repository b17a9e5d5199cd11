import type { Concept } from './lexicon.ts'
import type { Item } from './recognize.ts'
import type { Role, Words } from './words.ts'

/** How an item stands in its text. */
export interface Classification {
  /** `offered` (or wanted), denied ("no tomatoes"), or beside the point ("great with basil"). */
  readonly as: 'offered' | 'denied' | 'aside'
  /** It says only what the name after it is for or like: "tomato" in "tomato cages". */
  readonly modifier: boolean
  /** Words such as "also have" say that it is there. */
  readonly announced: boolean
  /** Said to be gone: "lemons are sold out". */
  readonly gone: boolean
}

/** Whose words they are: seekers say "looking for" of what they want, growers of what they would take for it. */
export type Side = 'want' | 'listing'

/** @param hasCategory under a category, so that it is of something that grows: an "arugula bag" is arugula */
export function classify(
  items: readonly Item[],
  side: Side,
  words: Words,
  hasCategory = false,
): Classification[] {
  const sense = clauses(items, side)
  return items.map((_item, at) => ({
    as: sense[at]?.as ?? 'offered',
    announced: sense[at]?.announced ?? false,
    gone: sense[at]?.gone ?? false,
    modifier: isModifier(items, at, words, hasCategory),
  }))
}

interface Clause {
  as: Classification['as']
  announced: boolean
  gone: boolean
}

/** Follows the text from left to right: what denies or puts aside reaches to the end of its clause. */
function clauses(items: readonly Item[], side: Side): Clause[] {
  const clausesBefore: Clause[] = []
  let as: Classification['as'] = 'offered'
  let reach: 'clause' | 'sentence' = 'clause'
  let announced = false
  let traded = false
  let giving = false
  /** Whether anything was said since the last turn: a colon right after it ends nothing. */
  let said = false
  const turn = (to: Classification['as'], how: 'clause' | 'sentence' = 'clause') => {
    as = to
    reach = how
    said = false
  }

  items.forEach((item, at) => {
    const { roles, gap } = item
    if (gap === 'stop') {
      turn('offered')
      announced = false
      traded = false
      giving = false
    } else if (gap === 'dash' && said) turn('offered')
    else if (gap === 'comma' && as !== 'offered' && reach === 'clause' && !goesOn(items, at, as))
      turn('offered')

    const turned = item.senses.length > 0 ? undefined : (questionOf(items, at, side) ?? turnOf(item, side))
    if (giving && roles.has('purpose')) turn('offered')
    else if (isAnswerNo(items, at)) {
      deny(items, clausesBefore, at)
      turn('offered')
    } else if (isAllBut(items, at)) turn('denied')
    else if (side === 'listing' && opensMarked(items, at)) turn('denied', 'sentence')
    else if (turned) {
      giving = side === 'want' && roles.has('giving')
      if (as === 'offered' || turned.as === 'offered' || turned.as === 'denied')
        turn(turned.as, turned.reach ?? 'clause')
    } else if (item.senses.length === 0 && roles.has('purpose')) {
      if (as === 'offered' && isPurpose(items, at)) turn('aside', traded ? 'sentence' : 'clause')
    } else if (!roles.has('fillers')) said = true

    if (item.senses.length === 0) {
      if (roles.has('offering') && as === 'offered') announced = true
      if (isFreeOf(items, at) || roles.has('gone') || (side === 'listing' && closesMarked(items, at)))
        deny(items, clausesBefore, at)
      if (roles.has('offered')) markAnnounced(items, clausesBefore, at)
      if (/^(?:swap|trade|trading|swapping|exchange)$/.test(item.words[0] ?? '')) traded = true
    }
    clausesBefore.push({ as, announced: announced && as === 'offered', gone: false })
  })
  return clausesBefore
}

/** Returns how a phrase classifies the names after it, and how far. */
function turnOf({ roles }: Item, side: Side): { as: Classification['as']; reach?: 'sentence' } | undefined {
  if (roles.has('not_negating')) return { as: 'offered' }
  if (roles.has('complaints')) return { as: side === 'want' ? 'denied' : 'offered' }
  if (roles.has('exceptions')) return { as: 'denied', reach: 'sentence' }
  if (roles.has('negations')) return { as: 'denied' }
  if (roles.has('giving')) return side === 'want' ? { as: 'aside', reach: 'sentence' } : { as: 'offered' }
  if (roles.has('trading')) return { as: 'aside', reach: 'sentence' }
  if (roles.has('seeking')) return side === 'want' ? { as: 'offered' } : { as: 'aside', reach: 'sentence' }
  if (roles.has('turns')) return { as: 'offered' }
  if (roles.has('asides')) return { as: 'aside' }
  return undefined
}

/** "Got kale?" asks for it, "Need kale?" offers it, and "Price: six eggs" is what it goes for. */
function questionOf(
  items: readonly Item[],
  at: number,
  side: Side,
): { as: Classification['as']; reach?: 'sentence' } | undefined {
  const item = items[at]
  if (side === 'listing' && item?.words[0] === 'price' && items[at + 1]?.gap === 'dash')
    return { as: 'aside', reach: 'sentence' }
  if (side === 'want' || !item?.asked || (at > 0 && item.gap !== 'stop')) return undefined
  if (item.roles.has('inviting')) return { as: 'offered' }
  return item.roles.has('asking') ? { as: 'aside', reach: 'sentence' } : undefined
}

/** "Beans? No, peas!" */
function isAnswerNo(items: readonly Item[], at: number): boolean {
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]]
  if (item?.gap !== 'stop' || item.words.join() !== 'no' || !before?.asked) return false
  return next?.gap === 'comma' || next?.gap === 'dash'
}

/** "Any greens but kale". */
function isAllBut(items: readonly Item[], at: number): boolean {
  if (items[at]?.words[0] !== 'but' || items[at]?.gap !== 'none') return false
  return items.slice(Math.max(0, at - 3), at).some(({ words }) => /^(?:any|all|every)$/.test(words[0] ?? ''))
}

/** After a comma: "no tomatoes, peppers or beans" goes on, "no tomatoes, just beans" does not. */
function goesOn(items: readonly Item[], from: number, as: Classification['as']): boolean {
  let named = false
  for (const [index, item] of items.slice(from).entries()) {
    if (index > 0 && (item.gap === 'stop' || item.gap === 'dash')) return false
    if (item.roles.has('turns') || item.roles.has('negations') || item.roles.has('offering')) return false
    const [word = ''] = item.words
    if (item.roles.has('joins')) return named && (as === 'aside' || /^n?or$/.test(word))
    if (item.senses.length > 0) named = true
  }
  return false
}

/** "Cages for tomatoes" has a purpose; "for sale", "$3 for tomatoes" and "seeds for tomatoes" have none. */
function isPurpose(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  if (!next || next.number || next.roles.has('not_a_purpose') || items[at - 1]?.number) return false
  for (let index = at - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (!item) return false
    const { roles } = item
    if (item.senses.length > 0 || (roles.size === 0 && !item.number)) return true
    if (roles.has('heads') || roles.has('containers')) return true
    if (item.gap === 'stop') return false
  }
  return false
}

/** "SOLD: kale". */
function opensMarked(items: readonly Item[], at: number): boolean {
  const next = items[at + 1]
  if (at > 0 || !items[at]?.roles.has('marked') || !next || next.gap === 'stop') return false
  return next.senses.length > 0 && !isThing(next)
}

/** "Kale (taken)" and "kale plants wanted", but not "cuttings in June", "lavender taken as cuttings" or "kale, no tools needed". */
function closesMarked(items: readonly Item[], at: number): boolean {
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]]
  if (!before || !item?.roles.has('marked') || (next && next.gap === 'none')) return false
  if (item.words[0] === 'in') return before.senses.length > 0
  return item.gap === 'dash' || before.senses.length > 0 || before.roles.has('forms')
}

/** "Kale-free". */
function isFreeOf(items: readonly Item[], at: number): boolean {
  const item = items[at]
  return item?.tied === true && item.words[0] === 'free' && (items[at - 1]?.senses.length ?? 0) > 0
}

/** "Lemons and limes are gone": the names just before, as far as "and" joins them. */
function deny(items: readonly Item[], clausesBefore: Clause[], at: number): void {
  let denied = false
  for (let index = at - 1; index >= 0; index -= 1) {
    const item = items[index]
    const clause = clausesBefore[index]
    if (!item || !clause) return
    if (item.senses.length > 0 || item.roles.size === 0) {
      clause.as = 'denied'
      clause.gone = true
      denied = true
      const isForm =
        item.roles.has('forms') && item.gap === 'none' && (items[index - 1]?.senses.length ?? 0) > 0
      if (!isForm && !items[index - 1]?.roles.has('joins')) return
    } else if (denied && !item.roles.has('joins')) return
    if (item.gap === 'stop') return
  }
}

/** "Leeks and chard available too". */
function markAnnounced(items: readonly Item[], clausesBefore: Clause[], at: number): void {
  for (let index = at - 1; index >= 0; index -= 1) {
    const clause = clausesBefore[index]
    if (clause?.as === 'offered') clause.announced = true
    if (items[index + 1]?.gap === 'stop' || items[index]?.gap === 'stop') return
  }
}

function isModifier(items: readonly Item[], at: number, words: Words, hasCategory: boolean): boolean {
  const item = items[at]
  if (!item) return false
  if (isUnreal(items, at)) return true
  const before = items[at - 1]
  if (item.gap === 'none' && before?.senses.some(({ concept }) => isCultivarShape(concept, item))) return true
  if (isMaterial(items, at, words)) return true
  if (item.senses.length === 0 && item.roles.size > 0) return false
  const next = items[at + 1]
  if (!next) return false
  if (colours(items, at, words)) return true
  if (sharesHead(items, at) || isSize(items, at)) return true
  if (next.gap !== 'none' || next.quoted) return false
  const named = item.senses.length > 0
  if (named && !item.plural && isCropName(next) && !isGroupOnly(next)) {
    if (words.flavours.has(item.words.join('')) || isGroupOnly(item)) return true
  }
  if (named && !item.plural && words.flavours.has(item.words.join('')) && flavours(items, at)) return true
  if (named && !item.plural && isSomebody(items, at)) return true
  if (named && !item.plural && isLikened(items, at)) return true
  if (named && !item.plural && !isForeign(item) && isUnknown(next) && next.plural) return true
  if (isThing(item) && !item.plural && isCropName(next) && !isMaterial(items, at + 1, words)) return true
  if (!item.plural && isOtherCultivar(item, next)) return true
  return leadsToHead(items, at, item.plural, hasCategory) || (isThing(item) && leadsToPlants(items, at))
}

/** "Banana split hosta" and "raspberry delight sage": no word between says that the first is there, too. */
function flavours(items: readonly Item[], at: number): boolean {
  for (let index = at + 1; index <= at + 3; index += 1) {
    const item = items[index]
    if (item?.gap !== 'none' || item.number || item.quoted) return false
    if (item.senses.length > 0) return index > at + 1 && isOtherCrop(items[at], item)
    const passes = item.roles.size === 0 || item.roles.has('colours') || item.roles.has('qualifiers')
    if (item.plural || !passes) return false
  }
  return false
}

function isOtherCrop(item: Item | undefined, other: Item): boolean {
  if (!isCropName(other) || isGroupOnly(other)) return false
  return !other.senses.some(({ concept }) =>
    item?.senses.some(
      (one) => concept.ancestors.has(one.concept.term) || one.concept.ancestors.has(concept.term),
    ),
  )
}

/** "Azalea & camellia fertilizer" and "lettuce/salad spinner" are for both. */
function sharesHead(items: readonly Item[], at: number): boolean {
  const [item, next, after] = items.slice(at, at + 3)
  if (!item || !next || item.plural || item.senses.length === 0 || isThing(item)) return false
  const isNamed = (other: Item | undefined) =>
    other !== undefined && other.senses.length > 0 && !isThing(other)
  if (next.tied) return next.roles.has('heads') || (isNamed(next) && leadsToHead(items, at + 1, next.plural))
  if (next.gap !== 'none' || !next.roles.has('joins') || after?.gap !== 'none') return false
  return isNamed(after) && leadsToHead(items, at + 2, after.plural)
}

/** "Pea-sized". */
function isSize(items: readonly Item[], at: number): boolean {
  const [item, next] = items.slice(at, at + 2)
  if (!item || item.plural || item.senses.length === 0 || next?.gap !== 'none') return false
  return next.words[0] === 'sized' || (next.tied && next.words[0] === 'size')
}

/** "Heather the babysitter", "Clover the bunny". */
function isSomebody(items: readonly Item[], at: number): boolean {
  const [the, who, after] = items.slice(at + 1, at + 4)
  if ((the?.gap !== 'none' && the?.gap !== 'dash') || the.words.join() !== 'the' || who?.gap !== 'none')
    return false
  if (after && after.gap === 'none') return false
  return isThing(who) || who.roles.has('heads') || isUnknown(who)
}

/** "Celery leaved buttercup" and "pineapple scented sage". */
function isLikened(items: readonly Item[], at: number): boolean {
  const [next, after] = [items[at + 1], items[at + 2]]
  if (next?.gap !== 'none' || after?.gap !== 'none' || !isCropName(after) || isGroupOnly(after)) return false
  return next.senses.length === 0 && /^(?:lea(?:f|ved|fed)|flowered|scented)$/.test(next.words.join(''))
}

/** "Raised bed kit, cedar" is made of it. */
function isMaterial(items: readonly Item[], at: number, words: Words): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!before || !item || item.plural || item.gap === 'stop' || !isThing(before)) return false
  const next = items[at + 1]
  return words.materials.has(item.words.join('')) && (next?.gap !== 'none' || next.number)
}

/** "Plastic tomatoes" and "faux ivy" never grew. */
function isUnreal(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!before || !item || item.gap !== 'none' || !(isCropName(item) || item.roles.has('forms'))) return false
  return before.roles.has('unreal') || (before.roles.has('colours') && isUnrealBefore(items, at - 1))
}

function isUnrealBefore(items: readonly Item[], at: number): boolean {
  return items[at]?.gap === 'none' && (items[at - 1]?.roles.has('unreal') ?? false)
}

/** "Red Russian garlic" is a garlic of that name, no Red Russian kale. */
function isOtherCultivar(item: Item, next: Item): boolean {
  const crops = next.senses.filter(({ concept }) => concept.kind === 'crop')
  if (crops.length === 0 || item.senses.length === 0) return false
  return item.senses.every(
    ({ concept }) =>
      concept.kind === 'cultivar' &&
      !isShapeOf(concept, next) &&
      !crops.some(
        (crop) => concept.ancestors.has(crop.concept.term) || crop.concept.ancestors.has(parentOf(concept)),
      ),
  )
}

function isCultivarShape(concept: Concept, item: Item): boolean {
  return concept.kind === 'cultivar' && item.senses.length > 0 && isShapeOf(concept, item)
}

/** "Sun Gold cherries" are cherry tomatoes. */
function isShapeOf({ ancestors }: Concept, { words }: Item): boolean {
  return [...ancestors].some((term) => term.startsWith(`${words.join('-')}-`))
}

function parentOf({ term }: Concept): string {
  return term.slice(0, term.indexOf('/'))
}

/** "Hanging basket plants" are plants. */
function leadsToPlants(items: readonly Item[], at: number): boolean {
  const [item, next] = [items[at], items[at + 1]]
  return item?.plural === false && next?.gap === 'none' && next.roles.has('forms') && !isThing(next)
}

const passing: readonly Role[] = ['forms', 'colours', 'qualifiers']

/** Whether the row of words that starts here ends in a thing: "tomato seed tray". */
function leadsToHead(items: readonly Item[], at: number, plural: boolean, hasCategory = false): boolean {
  if (plural) return false
  for (let index = at + 1; index <= at + 4; index += 1) {
    const item = items[index]
    if (item?.gap !== 'none' || item.number || item.quoted) return false
    const isHead = (isThing(item) && !item.roles.has('forms')) || item.roles.has('heads')
    if (isHead && !leadsToPlants(items, index)) return true
    if (item.roles.has('containers')) return !hasCategory && index === at + 1 && !isJoined(items, at)
    const { roles } = item
    const passes =
      isHead || item.senses.length > 0 || roles.size === 0 || passing.some((role) => roles.has(role))
    if (!passes || (item.plural && !roles.has('forms'))) return false
  }
  return false
}

/** A "plum box" is a box, an "apple and plum box" holds both. */
function isJoined(items: readonly Item[], at: number): boolean {
  return (items[at - 1]?.roles.has('joins') ?? false) && (items[at - 2]?.senses.length ?? 0) > 0
}

/** "Orange and yellow peppers": the orange is a color. */
function colours(items: readonly Item[], at: number, words: Words): boolean {
  const item = items[at]
  if (!item || item.plural || !words.colourCrops.has(item.words.join(''))) return false
  const [next, after] = [items[at + 1], items[at + 2]]
  if (next?.roles.has('joins')) return after?.roles.has('colours') ?? false
  return (
    (next?.gap === 'comma' || next?.gap === 'none') && next.roles.has('colours') && next.senses.length === 0
  )
}

export function isThing(item: Item): boolean {
  return item.senses.some(({ concept }) => concept.kind === 'thing')
}

export function isGroupOnly(item: Item): boolean {
  return item.senses.length > 0 && item.senses.every(({ concept }) => concept.kind === 'group')
}

/** "Lemon bars": what nobody knows, but it is not lemons. */
function isUnknown({ senses, roles, number }: Item): boolean {
  return senses.length === 0 && roles.size === 0 && !number
}

/** In most other languages the adjective follows: "pommes de terre nouvelles". */
function isForeign({ senses }: Item): boolean {
  return senses.every(({ foreign }) => foreign)
}

function isCropName(item: Item): boolean {
  return item.senses.some(({ concept }) => concept.kind !== 'thing')
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
