/** What a word says about a thing that excludes others: a property, and the values that it can have. */
export interface Trait {
  readonly of: string
  readonly values: readonly string[]
}

export const noTraits: readonly Trait[] = []

/** @param text such as `color red purple` */
export function traitOf(text: string): Trait {
  const [of = '', ...values] = text.split(' ')
  return { of, values }
}
