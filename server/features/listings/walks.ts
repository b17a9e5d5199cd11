// How the market is read: along an index, a bounded number of candidates at a time, of which those are kept that pass every check.
// A list that is rare among its candidates may so end early; it then says where to go on.

import {
  after,
  atHome,
  belongs,
  inIndex,
  keyOf,
  mostId,
  type Order,
  orderIn,
  type Position,
  placed,
  upTo,
} from './orders.ts'
import type { Word } from './terms.ts'
import type { Values } from './values.ts'

/** What some indexes tell of a listing by themselves, so that its row is read only when it passes. */
export type Fact = 'is_public' | 'is_active' | 'type_id' | 'category_id' | 'price' | 'place' | 'word_bits'

/** A condition on a listing: by these facts of it, or, where it names none, by its row `l`. */
export interface Check {
  readonly by: readonly (Fact | 'words')[]
  sql(values: Values, name: string): string
  /** What it can't pass without, by fewer facts. */
  readonly hint?: Check
}

/** A way to the candidates of a list: SQL that yields listings in order from a position on, `size` of them at most. */
export interface Walk {
  readonly size: number
  /** By these its candidates can be checked, or by their words, looked up one by one; what of them is always so needs no check. */
  readonly facts?: Check['by']
  readonly given?: Check['by']
  /** Whole listings, named `l`, or, named `c`, only their ids and what they are in order by, where an index alone tells that. */
  readonly yields: 'listings' | 'ids'
  /** The order of the candidates; none where they stream in order and nothing in them says so. */
  readonly by: string | undefined
  readonly start: Position
  /** There may be more, however few these are: where they fill no page, another walk has to. */
  readonly isGlimpse?: boolean
  /** There are no more than these. */
  readonly whole?: boolean
  /** They are all of members whom the list is about. */
  readonly ofOwners?: boolean
  /** The word that they all have, anywhere or in the title. */
  readonly under?: { readonly word: Word; readonly inTitle: boolean }
  /** Behind its candidates comes the last that was looked at, marked as `is_end`, unless that were all. */
  readonly tellsEnd?: boolean
  /** Each candidate says which of two stretches it is in. */
  readonly tellsTurn?: boolean
  /** Fewer candidates than `size` do not mean that there are no more: where to go on then, unless another walk goes further. */
  stop?(after: Position): Position | undefined
  /** Those that pass the checks, which are all by facts that the walk tells. */
  candidates(values: Values, after: Position, checks: readonly Check[]): string
}

/** So many listings a walk along an index looks at. They stream: a page that is full early looks at few. */
const manyCandidates = 1200

/** Along an index over all listings. */
export function along(order: Order, size = manyCandidates): Walk {
  return {
    size,
    yields: 'listings',
    by: orderIn('l', order),
    start: order.start,
    candidates: (values, from) =>
      `select l.* from listings l where ${belongs(order)} and ${after(order, placed(values, order, from))}
      order by ${inIndex(order)} limit ${size}`,
  }
}

/** So many a walk looks at where the index tells what is to be known of them: that takes a tenth of what their rows take. */
const manyFacts = 3600
/** So many before a merge of hundreds of places, which takes several times as long as these. */
export const beforeMerge = 8000

const ofPublic: readonly Fact[] = ['type_id', 'category_id', 'price', 'place']
const publicly: readonly Fact[] = ['is_public', 'is_active', ...ofPublic]
export const ofOwners: readonly Fact[] = ['is_active', 'type_id', 'category_id', 'price', 'word_bits']
export const ofPlaces: readonly Fact[] = ['is_public', ...ofOwners]
const ofSales: readonly Fact[] = ['place', ...ofPlaces]

/** Along the index of what is public, by id, or of one category of it. */
export function alongPublic(order: Order, category: number | undefined, size = manyFacts): Walk {
  if (category === undefined)
    return alongFacts(order, 'l.is_public and l.is_active', ofPublic, ['is_public', 'is_active'], size)
  // The category stands in the text, so that a rare one has another plan than a common one.
  return alongFacts(
    order,
    `l.is_public and l.is_active and l.category_id = ${Number(category)}`,
    ofPublic.filter((fact) => fact !== 'category_id'),
    ['is_public', 'is_active', 'category_id'],
    size,
  )
}

/** Along the index of sales, by price. */
export function alongPrices(order: Order, size = manyFacts): Walk {
  const walk = alongFacts(order, belongs(order), ofSales, [], size)
  return { ...walk, facts: [...ofSales, 'words'] }
}

function alongFacts(
  order: Order,
  where: string,
  facts: readonly Fact[],
  given: readonly Fact[],
  size: number,
): Walk {
  return {
    size,
    yields: 'ids',
    by: orderIn('c', order),
    start: order.start,
    facts,
    given,
    candidates(values, from, checks) {
      const [start, last] = [placed(values, order, from), placed(values, order, order.last)]
      return `select ${keyOf('c', order)} from (
          select ${told(order, facts)} from listings l
          where ${where} and ${after(order, start)} and ${upTo(order, last)} order by ${inIndex(order)} limit ${size}
        ) c where ${passing([...ofOrder(order), ...checks], values)}`
    },
  }
}

/** What is no sale is left to a check, so that no index is read on and on for it. */
export function ofOrder(order: Order): readonly Check[] {
  return order.only === 'unpriced' ? [{ by: ['price'], sql: (_, name) => belongs(order, name) }] : []
}

/** What an index tells of a listing: where it is in the order, and what it is checked by. */
export function told({ rank }: Order, facts: readonly Fact[]): string {
  return ['l.id', ...(rank ? [`${rank} as rank`] : []), ...facts.map((fact) => `l.${fact}`)].join(', ')
}

export function passing(checks: readonly Check[], values: Values): string {
  return ['true', ...checks.map((check) => check.sql(values, 'c'))].join(' and ')
}

/** Along the index of one member's listings. */
export function ofOwner(order: Order, owner: number): Walk {
  return {
    size: manyCandidates,
    yields: 'listings',
    by: orderIn('l', order),
    start: order.start,
    candidates: (values, from) =>
      `select l.*${order.rank ? `, ${order.rank} as rank` : ''} from listings l
      where l.owner_id = ${values.add(owner, 'bigint')} and ${belongs(order)} and ${after(order, placed(values, order, from))}
      order by ${inIndex(order)} limit ${manyCandidates}`,
  }
}

/** Place by place, the nearest first, and the newest first at each; `places` begins with the place of the position. */
export function placeByPlace(places: (after: Position) => readonly number[]): Walk {
  return {
    size: manyCandidates,
    yields: 'listings',
    by: undefined,
    start: atHome,
    candidates(values, from) {
      const within = values.add(places(from), 'integer[]')
      const id = values.add(from.id, 'bigint')
      // The places come in the order of the array and bring their listings along, so all is in order without being sorted.
      return `select l.* from unnest(${within}) with ordinality g (place, turn) cross join lateral (
          select l.* from listings l
          where (l.place, l.id) >= (g.place, 0) and (l.place, l.id) < (g.place, case g.turn when 1 then ${id} else ${mostId} end)
          order by l.place desc, l.id desc limit ${manyCandidates}
        ) l limit ${manyCandidates}`
    },
  }
}

/** Member by member, those at the nearest place first, and at each place the newest first. `turns` says whose turn comes when. */
export function memberByMember(
  members: (after: Position) => { readonly owners: readonly number[]; readonly turns: readonly number[] },
  size: number,
): Walk {
  return {
    size,
    yields: 'ids',
    ofOwners: true,
    by: 'c.turn, c.id desc',
    start: atHome,
    candidates(values, from) {
      const { owners, turns } = members(from)
      const [who, when] = [values.add(owners, 'bigint[]'), values.add(turns, 'integer[]')]
      const id = values.add(from.id, 'bigint')
      return `select l.id, g.turn from unnest(${who}, ${when}) g (owner, turn) cross join lateral (
          select l.id from listings l
          where l.owner_id = g.owner and l.id < case g.turn when 0 then ${id} else ${mostId} end
          order by l.id desc limit ${size}
        ) l order by g.turn, l.id desc limit ${size}`
    },
  }
}

/** Of what is filed under a word, which has to be in the title or not, so many listings are looked at. */
interface Filed {
  readonly inTitle: boolean
  readonly size: number
  /** What is not public is left out anyway: so the index of what is tells the rest. */
  readonly isPublic: boolean
}

/** Along what is filed under a word, by id. */
export function filedUnder(order: Order, word: Word, { inTitle, size, isPublic }: Filed): Walk {
  const direction = order.goes === 'up' ? 'asc' : 'desc'
  return {
    size,
    yields: 'ids',
    by: `c.id ${direction}`,
    start: order.start,
    under: { word, inTitle },
    facts: isPublic ? publicly : [],
    candidates(values, from, checks) {
      const id = values.add(from.id, 'bigint')
      // Term by term in the text: so they are merged as they come, and no more is read than the page takes.
      const each = word.map(
        (term) => `(select t.listing_id from listing_terms t
          where t.term = ${values.add(term, 'text')} ${inTitle ? 'and t.in_title' : ''} and t.listing_id ${direction === 'asc' ? '>' : '<'} ${id}
          order by t.listing_id ${direction} limit ${size})`,
      )
      const found = `select distinct on (t.listing_id) t.listing_id as id from (${each.join(' union all ')}) t
        order by t.listing_id ${direction} limit ${size}`
      if (!isPublic) return found
      // One by one, or PostgreSQL would go through all that is public; the last of those looked at has to be known as well.
      return `select c.id from (
          select t.id, f.* from (${found}) t left join lateral (
            select true as is_public, true as is_active, ${ofPublic.map((fact) => `l.${fact}`).join(', ')} from listings l
            where l.id = t.id and l.is_public and l.is_active limit 1
          ) f on true
        ) c where ${passing(checks, values)}`
    },
  }
}

/** Everything that is filed under a rare word, put in any order. */
export function gathered(order: Order, word: Word, { size, isPublic }: Omit<Filed, 'inTitle'>): Walk {
  const all = { size, start: order.start, whole: true, under: { word, inTitle: false } } as const
  if (!isPublic)
    return {
      ...all,
      yields: 'listings',
      by: orderIn('l', order),
      candidates(values, from) {
        const found = everyListingWith(values.add(word, 'text[]'), size)
        return `select l.*${order.rank ? `, ${order.rank} as rank` : ''} from (${found}) l
        where ${belongs(order)} and ${after(order, placed(values, order, from))}
        order by ${inIndex(order)} limit ${size}`
      },
    }
  return {
    ...all,
    yields: 'ids',
    by: orderIn('c', order),
    facts: publicly,
    given: ['is_public', 'is_active'],
    candidates(values, from, checks) {
      const within = `array(${everyIdWith(values.add(word, 'text[]'), size)})`
      return `select ${keyOf('c', order)} from (
          select ${told(order, ofPublic)} from listings l
          where l.is_public and l.is_active and l.id = any (${within}) and ${belongs(order)} and ${after(order, placed(values, order, from))}
        ) c where ${passing(checks, values)} order by ${orderIn('c', order)} limit ${size}`
    },
  }
}

/** Everything that is filed under a rare word, the nearest first. */
export function gatheredByPlace(
  places: (after: Position) => readonly number[],
  word: Word,
  size: number,
): Walk {
  return {
    size,
    yields: 'listings',
    by: 'l.turn, l.id desc',
    start: atHome,
    whole: true,
    under: { word, inTitle: false },
    candidates(values, from) {
      const found = everyListingWith(values.add(word, 'text[]'), size)
      const id = values.add(from.id, 'bigint')
      return `select l.*, g.turn from (${found}) l
        join unnest(${values.add(places(from), 'integer[]')}) with ordinality g (place, turn) on g.place = l.place
        where g.turn > 1 or l.id < ${id} order by g.turn, l.id desc`
    },
  }
}

/** Row by row, as PostgreSQL would rather go through a market that is not much larger than what may be found. */
export function everyListingWith(terms: string, size: number): string {
  return `select l.* from (
      select distinct t.listing_id from (${everyIdWith(terms, size)}) t
    ) t cross join lateral (select * from listings where id = t.listing_id limit 1) l`
}

/** With whatever is filed under two of the terms twice. */
function everyIdWith(terms: string, size: number): string {
  return `select t.listing_id from unnest(${terms}) g (term) cross join lateral (
      select t.listing_id from listing_terms t where t.term = g.term order by t.listing_id desc limit ${size}
    ) t limit ${2 * size}`
}
