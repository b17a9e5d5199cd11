import { type CategoryId, categoryName } from '#contract/constants.ts'
import type { Concept } from './concept.ts'

/** Lists what of a crop can be meant. `main` is its main part, such as the fruit of a tomato. */
const forms = ['plant', 'seed', 'bulb', 'leaf', 'flower', 'peel', 'branch', 'main'] as const
export type Form = (typeof forms)[number]

/** Returns the form that a list of the lexicon names. Throws for another text. */
export function formNamed(text: string): Form {
  const form = forms.find((name) => name === text)
  if (!form) throw new Error(`unknown form ${text}; forms.ts names all`)
  return form
}

export const noForms: readonly Form[] = []

const formOfCategory = { produce: 'main', seeds: 'seed', plants: 'plant' } as const

/** Returns the form that a category implies, if any. */
export function formOf(category: CategoryId | null): readonly Form[] {
  const name = categoryName(category)
  return name === 'uncategorized' ? noForms : [formOfCategory[name]]
}

const fruitParts: readonly Form[] = ['bulb']

/** The parts that are the main one, by groups of which the crop is a member. The first that fits counts. */
const mainParts: readonly (readonly [readonly Form[], readonly string[]])[] = [
  [
    ['flower', 'branch'],
    ['group:flowers', 'group:roses'],
  ],
  [['seed'], ['group:nuts']],
  [
    fruitParts,
    [
      'group:fruits',
      'group:fruiting-vegetables',
      'group:cucurbits',
      'group:squash',
      'group:peppers',
      'group:nightshades',
    ],
  ],
  [
    ['leaf', 'flower', 'branch', 'bulb'],
    [
      'group:herbs',
      'group:leafy-greens',
      'group:salad-greens',
      'group:asian-greens',
      'group:alliums',
      'group:brassicas',
    ],
  ],
  [['bulb'], ['group:root-vegetables', 'group:legumes', 'group:grains', 'group:mushrooms']],
  [['flower'], ['group:edible-flowers']],
]

const partsByConcept = new WeakMap<Concept, readonly Form[] | null>()

/** Returns the parts of a crop that are its main one, or null if nothing is known of it. */
function partsOf(concept: Concept): readonly Form[] | null {
  const known = partsByConcept.get(concept)
  if (known !== undefined) return known
  const found = mainParts.find(([, groups]) => groups.some((group) => concept.ancestors.has(group)))
  const parts = found?.[0] ?? null
  partsByConcept.set(concept, parts)
  return parts
}

/** Returns whether seeds are another part than the one that is eaten: "mango seeds", but not those of beans. */
export function isSeedOtherPart(concept: Concept): boolean {
  return partsOf(concept) === fruitParts
}

/** Returns whether what a want asks of a crop differs from what a listing offers of it. Without words and a category any of its usual forms is meant. */
export function formsConflict(wanted: readonly Form[], offered: readonly Form[], concept: Concept): boolean {
  if (wanted.length === 0 && offered.length === 0) return false
  const parts = partsOf(concept)
  if (!parts) return false
  const usual: readonly Form[] = ['main', ...parts]
  const formsOf = (named: readonly Form[]): readonly Form[] => {
    // Bulbs are planted, those of vegetables eaten too.
    const forms = named.includes('bulb') ? [...named, 'plant' as const] : named
    if (forms.length === 0) return ['plant', 'seed', ...usual]
    return forms.some((form) => usual.includes(form)) ? [...forms, ...usual] : forms
  }
  const hasAllParts = offered.length === 0 || offered.includes('branch')
  const offers = hasAllParts ? [...formsOf(offered), 'leaf', 'flower'] : formsOf(offered)
  return !formsOf(wanted).some((form) => offers.includes(form))
}
