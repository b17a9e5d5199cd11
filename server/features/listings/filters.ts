import type { CategoryId, TypeId } from '#contract/constants.ts'
import { types } from '#contract/constants.ts'
import { nowhere } from '#server/features/places/places.ts'
import type { Turns } from './groups.ts'
import { bitsOf, type Word } from './terms.ts'
import type { Values } from './values.ts'
import type { Check, Walk } from './walks.ts'

/** What a list leaves out. */
export interface Filters {
  readonly category: CategoryId | undefined
  readonly types: readonly TypeId[] | undefined
  readonly prices: { readonly min: number; readonly max: number } | undefined
  /** The places that are near enough; what is nowhere passes. */
  readonly places: readonly number[] | undefined
}

export function filterChecks({ category, types: chosen, prices, places }: Filters): Check[] {
  const checks: Check[] = []
  if (category !== undefined)
    checks.push({
      by: ['category_id'],
      sql: (values, name) => `${name}.category_id = ${values.add(category, 'smallint')}`,
    })
  if (chosen)
    checks.push({
      by: ['type_id'],
      sql: (values, name) => `${name}.type_id = any (${values.add(chosen, 'smallint[]')}::smallint[])`,
    })
  if (prices)
    checks.push({ by: ['type_id', 'price'], sql: (values, name) => withinPrices(values, name, prices) })
  if (places) checks.push({ by: ['place'], sql: (values, name) => atOneOf(values, name, places) })
  return checks
}

/** Prices count for sales only. */
function withinPrices(values: Values, name: string, { min, max }: { min: number; max: number }): string {
  const [lowest, highest] = [values.add(min, 'numeric'), values.add(max, 'numeric')]
  return `(${name}.type_id <> ${types.sell} or ${name}.price >= ${lowest} and ${name}.price <= ${highest})`
}

/** The `or` keeps PostgreSQL from joining the places, and has it look each one up in a table of its own. */
function atOneOf(values: Values, name: string, places: readonly number[]): string {
  return `(${name}.place = ${nowhere} or ${name}.place in (select unnest(${values.add(places, 'integer[]')})))`
}

export function isNearEnough({ places }: Filters, place: number): boolean {
  return places === undefined || place === nowhere || places.includes(place)
}

/** Words that a listing has to have, in its title or anywhere. */
export interface Wording {
  readonly words: readonly Word[]
  readonly inTitle: boolean
}

/** So many terms of a word are looked for in the bits; a word of more is only looked up. */
const signed = 4

/** The listing has every one of the words, of which `under` needs no look. */
export function hasWords({ words, inTitle }: Wording, under?: Walk['under']): Check[] {
  const known = under && (under.inTitle || !inTitle) ? under.word : undefined
  return words.filter((word) => word !== known).map((word) => has(word, inTitle))
}

/** What does not have all of them. */
export function lacksWords(wording: Wording): Check {
  const checks = hasWords(wording)
  return {
    by: [],
    sql: (values, name) => `(${checks.map((check) => check.sql(values, name)).join(' and ')}) is not true`,
  }
}

/** Told by its bits, so that few have to be looked up. */
function mayHave(word: Word): Check {
  return {
    by: ['word_bits'],
    sql: (values, name) => `(${word.map((term) => showsTerm(values, name, term)).join(' or ')})`,
  }
}

function showsTerm(values: Values, name: string, term: string): string {
  const mask = values.add(bitsOf([term]), 'bit(384)')
  return `${name}.word_bits & ${mask} = ${mask}`
}

/** Looked up by the whole key for each candidate: an `exists` would be joined with everything that has the word. */
function has(word: Word, inTitle: boolean): Check {
  const titled = inTitle ? 'and t.in_title' : ''
  if (word.length > signed)
    return {
      by: ['words'],
      sql: (
        values,
        name,
      ) => `(select true from unnest(${values.add(word, 'text[]')}) g (term) cross join lateral (
        select from listing_terms t where t.term = g.term and t.listing_id = ${name}.id ${titled}) t limit 1)`,
    }
  return {
    by: ['word_bits', 'words'],
    hint: mayHave(word),
    sql(values, name) {
      const each = word.map(
        (term) => `${showsTerm(values, name, term)} and (select true from listing_terms t
          where t.term = ${values.add(term, 'text')} and t.listing_id = ${name}.id ${titled} limit 1)`,
      )
      return `(${each.join(' or ')})`
    },
  }
}

/**
 * What has all the words in its title comes first, then what has all of them anywhere. A term is looked for only where its bits
 * show, and what it says of the title is read in the same look.
 */
export function titlesFirst(words: readonly Word[]): Turns {
  const byBits = words.map((terms, nth) => ({
    nth,
    terms,
    isSigned: terms.length <= signed,
  }))
  const bitOf = (word: number, term: number) => 2 ** (word * signed + term)
  return {
    hints: words.filter((terms) => terms.length <= signed).map(mayHave),
    sign(values, name) {
      const bits = byBits.flatMap(({ nth, terms, isSigned }) =>
        isSigned
          ? terms.map(
              (term, at) => `case when ${showsTerm(values, name, term)} then ${bitOf(nth, at)} else 0 end`,
            )
          : [],
      )
      return `(${['0::bigint', ...bits].join(' + ')})`
    },
    turn(values, name) {
      const looks = byBits.map(({ nth, terms, isSigned }) => {
        const each = terms.map((term, at) => {
          const look = `(select 1 + t.in_title::int from listing_terms t where t.term = ${values.add(term, 'text')} and t.listing_id = ${name}.id limit 1)`
          return isSigned ? `case when ${name}.sign & ${bitOf(nth, at)} <> 0 then ${look} end` : look
        })
        return `greatest(${each.join(', ')})`
      })
      return `(1 - (${looks.join(' + ')}) / ${2 * words.length})`
    },
  }
}
