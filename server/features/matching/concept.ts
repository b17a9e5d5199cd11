import type { Trait } from './trait.ts'

export type Kind = 'crop' | 'cultivar' | 'group' | 'thing'

/** Something that can be wanted and offered. Its term is stable: it is stored. */
export interface Concept {
  /** `tomato`, `tomato/sungold`, `group:brassicas` or `thing:compost`. */
  readonly term: string
  readonly kind: Kind
  /** The name in a sentence: "tomato", "Sungold", "leafy green". */
  readonly name: string
  /** The terms of the concept and of all concepts that it belongs to, its own first. */
  readonly ancestors: ReadonlySet<string>
  /** Those of its kind, whatever a text says: a habanero is hot, an Early Girl is a hybrid. */
  readonly traits: readonly Trait[]
}

/** One meaning of a name. */
export interface Sense {
  readonly concept: Concept
  /** The name as the lexicon writes it. */
  readonly name: string
  /** True if the name is also an everyday word, which counts only if nothing else in the text is known. */
  readonly isAmbiguous: boolean
  /** The code of the name's language: `la` of a Latin name. */
  readonly language: string
}

/** Returns whether a sense is a kind of another: "Sungold" of "tomato". */
export function isNarrower(senses: readonly Sense[], than: readonly Sense[]): boolean {
  return than.some((wide) =>
    senses.some(({ concept }) => concept !== wide.concept && concept.ancestors.has(wide.concept.term)),
  )
}

/** A cultivar. Its ancestors are computed at first use, because there are thousands of cultivars. */
export class Cultivar implements Concept {
  readonly kind = 'cultivar'
  readonly term: string
  readonly name: string
  readonly parent: Concept
  readonly traits: readonly Trait[]
  /** Returns the cultivars that it is one of. */
  private readonly findWider: () => readonly Concept[]
  private cachedAncestors: ReadonlySet<string> | undefined

  constructor(
    term: string,
    name: string,
    parent: Concept,
    traits: readonly Trait[],
    findWider: () => readonly Concept[],
  ) {
    this.term = term
    this.name = name
    this.parent = parent
    this.traits = withInherited(traits, parent.traits)
    this.findWider = findWider
  }

  get ancestors(): ReadonlySet<string> {
    this.cachedAncestors ??= new Set([
      this.term,
      ...this.findWider().map(({ term }) => term),
      ...this.parent.ancestors,
    ])
    return this.cachedAncestors
  }
}

/** Returns traits with those of a wider concept or of a kind of plant that say something about other properties. */
export function withInherited(own: readonly Trait[], inherited: readonly Trait[]): readonly Trait[] {
  if (inherited.length === 0) return own
  return [...own, ...inherited.filter(({ of }) => !own.some((trait) => trait.of === of))]
}

export function uniqueConcepts(senses: readonly Sense[]): Sense[] {
  return senses.filter(({ concept }, at) => senses.findIndex((other) => other.concept === concept) === at)
}
