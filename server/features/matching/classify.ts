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
      giving = false
    } else if (gap === 'dash' && said) turn('offered')
    else if (gap === 'comma' && as !== 'offered' && reach === 'clause') turn('offered')

    const turned = item.senses.length > 0 ? undefined : (questionOf(items, at, side) ?? turnOf(item, side))
    if (giving && roles.has('purpose')) turn('offered')
    else if (isAllBut(items, at)) turn('denied')
    else if (turned) {
      giving = side === 'want' && roles.has('giving')
      if (as === 'offered' || turned.as === 'offered' || turned.as === 'denied')
        turn(turned.as, turned.reach ?? 'clause')
    } else if (item.senses.length === 0 && roles.has('purpose')) {
      if (as === 'offered' && isPurpose(items, at)) turn('aside')
    } else if (!roles.has('fillers')) said = true

    if (item.senses.length === 0) {
      if (roles.has('offering') && as === 'offered') announced = true
      if (roles.has('gone') || (side === 'listing' && closesMarked(items, at))) deny(items, clausesBefore, at)
      if (roles.has('offered')) markAnnounced(items, clausesBefore, at)
    }
    clausesBefore.push({ as, announced: announced && as === 'offered', gone: false })
  })
  return clausesBefore
}

/** Returns how a phrase classifies the names after it, and how far. */
function turnOf({ roles }: Item, side: Side): { as: Classification['as']; reach?: 'sentence' } | undefined {
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

/** "Got kale?" asks for it. */
function questionOf(
  items: readonly Item[],
  at: number,
  side: Side,
): { as: Classification['as']; reach?: 'sentence' } | undefined {
  const item = items[at]
  if (side === 'want' || !item?.asked || (at > 0 && item.gap !== 'stop')) return undefined
  return item.roles.has('asking') ? { as: 'aside', reach: 'sentence' } : undefined
}

/** "Any greens but kale". */
function isAllBut(items: readonly Item[], at: number): boolean {
  if (items[at]?.words[0] !== 'but' || items[at]?.gap !== 'none') return false
  return items.slice(Math.max(0, at - 3), at).some(({ words }) => /^(?:any|all|every)$/.test(words[0] ?? ''))
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

/** "Kale (taken)" and "kale plants wanted", but not "cuttings in June", "lavender taken as cuttings" or "kale, no tools needed". */
function closesMarked(items: readonly Item[], at: number): boolean {
  const [before, item, next] = [items[at - 1], items[at], items[at + 1]]
  if (!before || !item?.roles.has('marked') || (next && next.gap === 'none')) return false
  return item.gap === 'dash' || before.senses.length > 0 || before.roles.has('forms')
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
  if (item.senses.length === 0 && item.roles.size > 0) return false
  const next = items[at + 1]
  if (!next) return false
  if (sharesHead(items, at) || isSize(items, at)) return true
  if (next.gap !== 'none' || next.quoted) return false
  const named = item.senses.length > 0
  if (named && !item.plural && isCropName(next) && !isGroupOnly(next)) {
    if (words.flavours.has(item.words.join('')) || isGroupOnly(item)) return true
  }
  if (named && !item.plural && !isForeign(item) && isUnknown(next) && next.plural) return true
  return leadsToHead(items, at, item.plural, hasCategory) || (isThing(item) && leadsToPlants(items, at))
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
  return next.words[0] === 'sized'
}

/** "Plastic tomatoes" and "faux ivy" never grew. */
function isUnreal(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (!before || !item || item.gap !== 'none' || !(isCropName(item) || item.roles.has('forms'))) return false
  return before.roles.has('unreal')
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
    if (item.roles.has('containers')) return !hasCategory && index === at + 1
    const { roles } = item
    const passes =
      isHead || item.senses.length > 0 || roles.size === 0 || passing.some((role) => roles.has(role))
    if (!passes || (item.plural && !roles.has('forms'))) return false
  }
  return false
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
  if (!item || !before || item.gap !== 'none' || !isGroupOnly(item)) return false
  return before.senses.length > 0 && !before.plural && !isThing(before) && !isGroupOnly(before)
}
