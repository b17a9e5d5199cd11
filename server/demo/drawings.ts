import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const crops = join(root, 'web', 'art', 'crops')
const things = join(import.meta.dirname, 'art', 'things')

/** A change of color: what lies between two hues (degrees, around the circle) turns, and grows richer or lighter. */
interface Tint {
  readonly between: readonly [number, number]
  readonly turn?: number
  readonly saturation?: number
  readonly lightness?: number
}

interface Source {
  readonly file: string
  /** The catalog's drawings stand on a painted ground and cast a shadow; both come off. */
  readonly ground?: 'painted' | 'painted, without a shadow'
  readonly tints?: readonly Tint[]
}

const crop = (name: string, ...tints: Tint[]): Source => ({
  file: join(crops, `${name}.svg`),
  ground: name === 'basil' || name === 'rosemary' ? 'painted, without a shadow' : 'painted',
  tints,
})
const thing = (name: string, ...tints: Tint[]): Source => ({ file: join(things, `${name}.svg`), tints })

/** What a picture can be composed of: the catalog's drawings, their other varieties, and what stands about in a garden. */
const sources = {
  tomato: crop('tomato'),
  'gold tomato': crop('tomato', { between: [0, 32], turn: 29, saturation: 1.25, lightness: 1.16 }),
  'black tomato': crop('tomato', { between: [0, 32], turn: -22, saturation: 0.55, lightness: 0.8 }),
  'green tomato': crop('tomato', { between: [0, 32], turn: 70, saturation: 0.65 }),
  zucchini: crop('zucchini'),
  'yellow squash': crop('zucchini', { between: [70, 170], turn: -66, saturation: 1.7, lightness: 1.25 }),
  basil: crop('basil'),
  mint: crop('basil', { between: [60, 160], turn: 34, saturation: 0.85 }),
  'purple basil': crop('basil', { between: [60, 160], turn: 205, saturation: 0.6, lightness: 0.72 }),
  'lamb ear': crop('basil', { between: [60, 160], turn: 26, saturation: 0.22, lightness: 1.18 }),
  bay: crop('basil', { between: [60, 160], turn: 12, saturation: 0.8, lightness: 0.72 }),
  garlic: crop('garlic'),
  shallot: crop('garlic', { between: [260, 350], turn: 55, saturation: 2, lightness: 0.8 }),
  'red onion': crop('garlic', { between: [260, 350], turn: 18, saturation: 1.7, lightness: 0.62 }),
  kale: crop('kale'),
  lettuce: crop('kale', { between: [60, 180], turn: -60, saturation: 1.25, lightness: 1.35 }),
  'red kale': crop('kale', { between: [110, 180], turn: 175, saturation: 0.8, lightness: 0.95 }),
  carrot: crop('carrot'),
  'purple carrot': crop('carrot', { between: [10, 45], turn: -75, saturation: 0.5, lightness: 0.66 }),
  'yellow carrot': crop('carrot', { between: [10, 45], turn: 19, lightness: 1.1 }),
  parsnip: crop('carrot', { between: [10, 45], turn: 14, saturation: 0.6, lightness: 1.5 }),
  strawberry: crop('strawberry'),
  lemon: crop('lemon'),
  lime: crop('lemon', { between: [35, 60], turn: 36, saturation: 0.55, lightness: 0.84 }),
  orange: crop('lemon', { between: [35, 60], turn: -18 }),
  apple: crop('apple'),
  'green apple': crop('apple', { between: [335, 40], turn: 76, saturation: 0.75, lightness: 1.12 }),
  'gold apple': crop('apple', { between: [335, 30], turn: 42, lightness: 1.14 }),
  rosemary: crop('rosemary'),
  lavender: crop(
    'rosemary',
    { between: [230, 245], turn: 28, saturation: 1.5 },
    { between: [130, 165], saturation: 0.7, lightness: 1.2 },
  ),
  thyme: crop('rosemary', { between: [130, 165], turn: -40 }, { between: [230, 245], turn: 70 }),
  dill: crop(
    'rosemary',
    { between: [130, 165], turn: -52, saturation: 1.5, lightness: 1.15 },
    { between: [230, 245], turn: 178, saturation: 2.2 },
  ),
  fern: crop(
    'rosemary',
    { between: [130, 165], turn: -36, saturation: 1.7 },
    { between: [230, 245], turn: 230, lightness: 0.75 },
  ),
  bean: crop('bean'),
  'yellow bean': crop('bean', { between: [80, 140], turn: -56, saturation: 1.6, lightness: 1.25 }),
  'purple bean': crop('bean', { between: [80, 140], turn: 190, saturation: 0.8, lightness: 0.75 }),
  pumpkin: crop('pumpkin'),
  'blue pumpkin': crop('pumpkin', { between: [18, 36], turn: 150, saturation: 0.22, lightness: 1.16 }),
  'white pumpkin': crop('pumpkin', { between: [18, 36], turn: 16, saturation: 0.5, lightness: 1.58 }),
  kabocha: crop('pumpkin', { between: [18, 36], turn: 88, saturation: 0.4, lightness: 0.62 }),
  chilli: crop('chilli'),
  'red chilli': crop('chilli', { between: [95, 106], turn: -98, saturation: 1.9 }),
  'purple chilli': crop('chilli', { between: [0, 40], turn: -68, saturation: 0.6, lightness: 0.72 }),
  okra: crop('chilli', { between: [0, 40], turn: 84, saturation: 0.55 }),
  potato: crop('potato'),
  'blue potato': crop('potato', { between: [0, 50], turn: 228, saturation: 0.45, lightness: 0.62 }),
  'sunflower packet': crop('sunflower-seeds'),
  'zinnia packet': crop(
    'sunflower-seeds',
    { between: [330, 350], turn: -150, saturation: 0.7, lightness: 1.3 },
    { between: [38, 50], turn: -62, lightness: 1.05 },
  ),
  'poppy packet': crop(
    'sunflower-seeds',
    { between: [330, 350], turn: 245, saturation: 0.8, lightness: 1.25 },
    { between: [38, 50], turn: -36 },
  ),
  seedling: crop('seedling-pot'),
  'blue pot': crop('seedling-pot', { between: [10, 24], turn: 185, saturation: 0.5, lightness: 1.02 }),
  'dark pot': crop(
    'seedling-pot',
    { between: [10, 24], saturation: 0.15, lightness: 0.62 },
    { between: [70, 140], turn: 24 },
  ),
  'purple seedling': crop('seedling-pot', {
    between: [70, 140],
    turn: 210,
    saturation: 0.6,
    lightness: 0.78,
  }),
  rhubarb: crop('rhubarb'),
  'rainbow chard': crop('rhubarb', { between: [335, 360], turn: 60, saturation: 1.2, lightness: 1.25 }),
  'orange dahlia': thing('dahlia', { between: [330, 360], turn: 42, saturation: 1.4, lightness: 1.18 }),
  dahlia: thing('dahlia'),
  'white dahlia': thing('dahlia', { between: [330, 360], turn: 60, saturation: 0.5, lightness: 1.75 }),
  'hens and chicks': thing('dahlia', { between: [330, 360], turn: 170, saturation: 0.5, lightness: 1.1 }),
  fig: thing('fig'),
  'green fig': thing('fig', { between: [290, 320], turn: -205, saturation: 1.5, lightness: 1.35 }),
  beet: thing('beet'),
  'gold beet': thing('beet', { between: [325, 350], turn: 58, saturation: 1.15, lightness: 1.3 }),
  plum: thing('plum'),
  'gold plum': thing('plum', { between: [265, 280], turn: 138, saturation: 1.6, lightness: 1.5 }),
  blueberries: thing('plum', { between: [265, 280], turn: -44, saturation: 1.2, lightness: 0.95 }),
  tomatillo: crop('tomato', { between: [0, 32], turn: 84, saturation: 0.5, lightness: 1.12 }),
  envelope: thing('envelope'),
  'white envelope': thing('envelope', { between: [30, 40], saturation: 0.4, lightness: 1.3 }),
  'green envelope': thing('envelope', { between: [30, 40], turn: 85, saturation: 0.45 }),
  jar: thing('jar'),
  'dark jar': thing(
    'jar',
    { between: [30, 41], turn: -18, saturation: 0.7, lightness: 0.58 },
    { between: [340, 360], turn: 150, saturation: 0.7 },
  ),
  jam: thing('jar', { between: [28, 41], turn: -44, saturation: 0.9, lightness: 0.52 }),
  honey: thing('honey'),
  pots: thing('pots'),
  'black pots': thing('pots', { between: [10, 26], saturation: 0.12, lightness: 0.6 }),
  cage: thing('cage'),
  eggs: thing('eggs'),
  wheelbarrow: thing('wheelbarrow'),
  tray: thing('tray'),
  'purple tray': thing('tray', { between: [80, 145], turn: 205, saturation: 0.5, lightness: 0.8 }),
  sack: thing('sack'),
  trellis: thing('trellis'),
  can: thing('can'),
  'gray can': thing('can', { between: [120, 170], turn: 60, saturation: 0.25, lightness: 1.35 }),
  'basket back': thing('basket-back'),
  'basket front': thing('basket-front'),
  'bowl back': thing('bowl-back'),
  'bowl front': thing('bowl-front'),
  'yellow bowl back': thing('bowl-back', { between: [180, 215], turn: 205, saturation: 1.8 }),
  'yellow bowl front': thing('bowl-front', { between: [180, 215], turn: 205, saturation: 1.8 }),
  'crate back': thing('crate-back'),
  'crate front': thing('crate-front'),
} satisfies Record<string, Source>

export type DrawingName = keyof typeof sources

/** A drawing that can be laid on any ground: its shapes on clear ground, in a box of 400 by 400. */
export interface Drawing {
  readonly shapes: string
  /** The same shapes in one dark color. */
  readonly silhouette: string
}

/** Reads drawings, each file once. */
export function drawingsReader(): (name: DrawingName) => Promise<Drawing> {
  const files = new Map<string, Promise<string>>()
  const drawings = new Map<DrawingName, Promise<Drawing>>()

  async function make(name: DrawingName): Promise<Drawing> {
    const source: Source = sources[name]
    const text = files.get(source.file) ?? readFile(source.file, 'utf8')
    files.set(source.file, text)
    const cut = withOwnIds(cutOut(await text, source.ground), `${name.replaceAll(' ', '-')}-clip`)
    const shapes = colored(cut, (color) => tinted(color, source.tints ?? []))
    return {
      shapes,
      silhouette: withOwnIds(
        colored(cut, () => shade),
        'shade',
      ),
    }
  }

  return (name) => {
    const drawing = drawings.get(name) ?? make(name)
    drawings.set(name, drawing)
    return drawing
  }
}

const shade = '#2a1a12'

/** Takes the ground off: the square, the ragged paint in its two tones, and the shadow after them. */
function cutOut(svg: string, ground: Source['ground']): string {
  const shapes = svg
    .replace(/^<svg[^>]*>/, '')
    .replace(/<title>.*?<\/title>/, '')
    .replace(/<\/svg>\s*$/, '')
  if (!ground) return shapes
  const definitions = /^<defs>.*?<\/defs>/.exec(shapes)?.[0] ?? ''
  const paths = shapes.slice(definitions.length).split(/(?=<path|<g)/)
  const colorOf = (path: string | undefined) => /^<path fill="([^"]+)"/.exec(path ?? '')?.[1]
  const tones = new Set([colorOf(paths[0]), colorOf(paths[1])])
  const first = paths.findIndex((path) => !tones.has(colorOf(path)))
  return definitions + paths.slice(ground === 'painted' ? first + 1 : first).join('')
}

/** Ids are unique in a picture, whatever is composed in it. */
function withOwnIds(shapes: string, prefix: string): string {
  return shapes
    .replaceAll(/id="([\w-]+)"/g, `id="${prefix}-$1"`)
    .replaceAll(/url\(#([\w-]+)\)/g, `url(#${prefix}-$1)`)
}

function colored(shapes: string, change: (color: string) => string): string {
  return shapes.replaceAll(/fill="(#[0-9a-f]{3,6})"/g, (_, color: string) => `fill="${change(color)}"`)
}

function tinted(color: string, tints: readonly Tint[]): string {
  const { hue, saturation, lightness } = hslOf(color)
  const tint = tints.find(({ between: [from, to] }) =>
    from <= to ? hue >= from && hue <= to : hue >= from || hue <= to,
  )
  if (!tint) return color
  const turned = (hue + (tint.turn ?? 0) + 360) % 360
  const rich = Math.min(100, saturation * (tint.saturation ?? 1))
  const light = Math.min(96, lightness * (tint.lightness ?? 1))
  return `hsl(${Math.round(turned)},${Math.round(rich)}%,${Math.round(light)}%)`
}

/** Hue in degrees, the others in percent. */
function hslOf(color: string): { hue: number; saturation: number; lightness: number } {
  const digits = color.length === 4 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255,
  )
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  const lightness = most - span / 2
  if (span === 0) return { hue: 0, saturation: 0, lightness: lightness * 100 }
  const sixth =
    most === red ? (green - blue) / span : most === green ? (blue - red) / span + 2 : (red - green) / span + 4
  return {
    hue: (sixth * 60 + 360) % 360,
    saturation: (span / (1 - Math.abs(2 * lightness - 1))) * 100,
    lightness: lightness * 100,
  }
}
