import { type CategoryId, categoryName } from '#contract/constants.ts'
import type { Drawing } from '#contract/listings.ts'
import { lexicon } from './lexicon.ts'
import { recognizeText } from './pipeline.ts'
import type { Item } from './recognize.ts'

/** The terms of each drawing's concepts, which include their kinds and cultivars. The first match wins. */
const termsOfDrawings: readonly (readonly [Drawing, readonly string[]])[] = [
  ['tomato', ['tomato']],
  ['zucchini', ['zucchini', 'cucumber', 'summer-squash', 'group:summer-squash']],
  ['pumpkin', ['pumpkin', 'squash', 'group:squash', 'group:gourds']],
  ['rosemary', ['rosemary', 'thyme', 'lavender', 'tarragon', 'savory']],
  ['basil', ['basil', 'lemon-balm', 'oregano', 'marjoram', 'sage', 'group:mints']],
  ['garlic', ['garlic', 'shallot']],
  ['carrot', ['carrot', 'parsnip']],
  ['potato', ['potato', 'sweet-potato', 'yam']],
  ['chilli', ['chili-pepper', 'group:peppers', 'group:chillies']],
  ['bean', ['group:beans', 'group:peas']],
  ['strawberry', ['strawberry']],
  ['lemon', ['group:citrus']],
  ['apple', ['apple', 'crabapple']],
  ['rhubarb', ['rhubarb']],
  ['kale', ['kale', 'cabbage', 'group:leafy-greens', 'group:salad-greens', 'group:asian-greens']],
  ['sunflower-seeds', ['sunflower', 'wildflower-mix']],
]

/**
 * Returns the drawing of the first crop in the title that has one, or that of the category.
 * @param items those of the title, if it has been read
 */
export function drawingOf(
  { title, category_id }: { readonly title: string; readonly category_id: CategoryId | null },
  items: readonly Item[] = recognizeText(title),
): Drawing {
  return drawingNamedIn(items) ?? categoryName(category_id)
}

function drawingNamedIn(items: readonly Item[]): Drawing | undefined {
  const { youngPlants } = lexicon().words
  if (items.some(({ words }) => words.some((word) => youngPlants.has(word)))) return 'seedling-pot'
  for (const [at, item] of items.entries()) {
    const next = items[at + 1]
    // Skips the crop of "tomato cages".
    const drawing = next !== undefined && isTool(next) ? undefined : drawingOfItem(item)
    if (drawing !== undefined) return drawing
  }
  return undefined
}

function drawingOfItem({ senses }: Item): Drawing | undefined {
  const concepts = senses.filter(({ isAmbiguous }) => !isAmbiguous).map(({ concept }) => concept)
  return termsOfDrawings.find(([, terms]) =>
    concepts.some(({ ancestors }) => terms.some((term) => ancestors.has(term))),
  )?.[0]
}

function isTool({ gap, senses }: Item): boolean {
  return gap === 'none' && senses.length > 0 && senses.every(({ concept }) => concept.kind === 'thing')
}
