import { type CategoryId, categories } from '#contract/constants.ts'
import type { Concept } from './concept.ts'
import { readListing } from './pipeline.ts'

/** Groups that are given away as plants when nothing says which part is meant. */
const grownAsPlants = [
  'flowers',
  'fruit-trees',
  'houseplants',
  'succulents',
  'native-plants',
  'pollinator-plants',
  'climbers',
  'ferns',
  'ornamental-grasses',
  'trees',
  'shrubs',
  'aquatic-plants',
  'ground-covers',
  'hedging',
].map((group) => `group:${group}`)

const isIn = (groups: readonly string[]) => (concept: Concept) =>
  groups.some((group) => concept.ancestors.has(group))
const isFlower = isIn(['group:flowers'])
const isNut = isIn(['group:nuts'])
const isFruit = isIn(['group:fruits', 'group:vegetables', 'group:herbs', 'group:edible-flowers'])
const isGrownAsPlant = isIn(grownAsPlants)

/** Returns the category of what a title names: null for a thing that does not grow, undefined if nothing in it is known. */
export function guessCategory(title: string): CategoryId | null | undefined {
  const { byTerm, mentionedForms } = readListing({ title, description: '' })
  const offered = [...new Set([...byTerm.values()].flat())]
  const crops = offered.map(({ concept }) => concept).filter(({ kind }) => kind !== 'thing')
  if (crops.length === 0 && offered.length > 0) return null
  const forms = new Set([...mentionedForms, ...offered.flatMap((each) => each.forms)])
  if (forms.has('seed') && !(crops.length > 0 && crops.every(isNut))) return categories.seeds
  if (forms.has('plant') || (forms.has('bulb') && crops.some(isFlower))) return categories.plants
  if (crops.length === 0) return undefined
  const isCut = forms.has('flower') || forms.has('branch')
  if (!isCut && crops.every((crop) => isGrownAsPlant(crop) && !isFruit(crop))) return categories.plants
  return categories.produce
}
