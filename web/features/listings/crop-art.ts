import { type CategoryId, categoryName } from '#contract/constants.ts'

/** The drawings of the catalog, and the names under which gardeners list what each one shows. */
const names = {
  tomato: ['tomato', 'sungold', 'brandywine', 'cherokee purple', 'san marzano', 'beefsteak', 'early girl'],
  zucchini: ['zucchini', 'courgette', 'cucumber', 'cuke', 'gherkin', 'summer squash', 'marrow', 'calabacita'],
  basil: [
    'basil',
    'mint',
    'spearmint',
    'peppermint',
    'lemon balm',
    'oregano',
    'marjoram',
    'sage',
    'albahaca',
  ],
  garlic: ['garlic', 'shallot', 'ajo'],
  kale: [
    ...['kale', 'collard', 'chard', 'lacinato', 'cavolo nero', 'spinach', 'lettuce', 'arugula', 'rocket'],
    ...['mustard green', 'salad green', 'greens', 'bok choy', 'pak choi', 'cabbage', 'silverbeet'],
  ],
  carrot: ['carrot', 'parsnip', 'zanahoria'],
  strawberry: ['strawberry', 'fraise', 'fresa'],
  lemon: ['lemon', 'lime', 'citrus', 'yuzu', 'citron'],
  apple: ['apple', 'crabapple', 'crab apple', 'windfall'],
  rosemary: ['rosemary', 'thyme', 'lavender', 'tarragon', 'savory', 'lemon thyme'],
  bean: ['bean', 'haricot', 'pea', 'snap pea', 'sugar snap', 'snow pea', 'edamame', 'fava', 'scarlet runner'],
  pumpkin: ['pumpkin', 'squash', 'winter squash', 'butternut', 'kabocha', 'gourd', 'calabaza'],
  chilli: [
    ...['chilli', 'chili', 'chile', 'pepper', 'hot pepper', 'jalapeno', 'cayenne', 'habanero', 'serrano'],
    ...['poblano', 'shishito', 'padron', 'paprika'],
  ],
  potato: ['potato', 'spud', 'yukon gold', 'fingerling', 'sweet potato', 'yam'],
  'sunflower-seeds': ['sunflower', 'wildflower', 'seed packet', 'seed mix'],
  'seedling-pot': ['seedling', 'start', 'transplant', 'sapling', 'plug'],
  rhubarb: ['rhubarb', 'ruibarbo'],
} as const satisfies Record<string, readonly string[]>

type Drawing = keyof typeof names

/** A crop's name before one of these is a tool for the crop: "tomato cages" are no tomatoes. */
const tools = forms([
  'cage',
  'trellis',
  'pole',
  'press',
  'crate',
  'planter',
  'tower',
  'peeler',
  'corer',
  'cider',
])
/** Another plant that carries a crop's name. */
const others = forms([
  'lemon verbena',
  'lemon grass',
  'apple mint',
  'bean sprout',
  'pineapple sage',
  'sea kale',
])

const drawings = new Map<string, Drawing>(
  (Object.keys(names) as Drawing[]).flatMap((drawing) =>
    [...forms(names[drawing])].map((form) => [form, drawing] as const),
  ),
)
const longestName = 3

const standIns = {
  produce: 'tomato',
  seeds: 'sunflower-seeds',
  plants: 'seedling-pot',
  uncategorized: 'rhubarb',
} as const satisfies Record<ReturnType<typeof categoryName>, Drawing>

const files = import.meta.glob<string>('../../art/crops/*.svg', {
  eager: true,
  import: 'default',
  query: '?url',
})

/** The drawing that stands in for a photo: the first crop that the title names, else the category's own. */
export function cropDrawing(title: string, category: CategoryId | null): Drawing {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
  // A young plant looks like a seedling, whatever it will bear.
  if (words.some((word) => drawings.get(word) === 'seedling-pot')) return 'seedling-pot'

  let at = 0
  while (at < words.length) {
    const { drawing, length } = nameAt(words, at)
    if (drawing && !tools.has(words[at + length] ?? '')) return drawing
    at += length
  }
  return standIns[categoryName(category)]
}

/** Where that drawing's file is. */
export function cropArt(title: string, category: CategoryId | null): string {
  return files[`../../art/crops/${cropDrawing(title, category)}.svg`] ?? ''
}

/** The longest name that begins at a word; another plant's name is skipped whole. */
function nameAt(words: string[], at: number): { drawing?: Drawing; length: number } {
  for (let length = longestName; length > 0; length--) {
    const name = words.slice(at, at + length).join(' ')
    if (others.has(name)) return { length }
    const drawing = drawings.get(name)
    if (drawing) return { drawing, length }
  }
  return { length: 1 }
}

/** Each name with its plurals. */
function forms(singulars: readonly string[]): Set<string> {
  return new Set(
    singulars.flatMap((name) => [
      name,
      `${name}s`,
      `${name}es`,
      name.replace(/(?:y|f)$/, (end) => (end === 'y' ? 'ies' : 'ves')),
    ]),
  )
}
