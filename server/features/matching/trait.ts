/** A property and its values that exclude other values, such as a color. */
export interface Trait {
  readonly of: string
  readonly values: readonly string[]
  /** True if a negation precedes it: "not thornless". */
  readonly isDenied?: boolean
}

export const noTraits: readonly Trait[] = []

/** @param text such as `color red purple` */
export function traitOf(text: string): Trait {
  const [of = '', ...values] = text.split(' ')
  return { of, values }
}
