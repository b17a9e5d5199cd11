import type { Sense } from './concept.ts'
import type { Item } from './recognize.ts'

/** Returns the meanings of a name that are related to another name of the text, or all if none is. */
export function disambiguate(items: readonly Item[], heads: readonly number[], at: number): readonly Sense[] {
  const senses = items[at]?.senses ?? []
  const unambiguous = senses.filter(({ ambiguous }) => !ambiguous)
  const own = unambiguous.length > 0 ? unambiguous : senses
  if (own.length < 2) return own
  const others = heads.filter((other) => other !== at).flatMap((other) => items[other]?.senses ?? [])
  const fit = own.filter(({ concept }) =>
    others.some((other) => other.concept !== concept && concept.ancestors.has(other.concept.term)),
  )
  return fit.length > 0 ? fit : own
}
