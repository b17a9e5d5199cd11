import type { TradeKind, TradeState } from '#contract/trades.ts'
import type { Username } from './members.ts'

/** A trade of the demo data. Its listings are named by their titles, in the order of giving. */
export interface DemoTrade {
  readonly kind: TradeKind
  readonly state: TradeState
  readonly by: Username
  readonly listings: readonly string[]
  readonly daysAgo: number
  /** How many of the requested listing. */
  readonly amount?: number
  readonly note?: string
  /** The hours until the accepted pickup starts. It takes one hour. */
  readonly pickupInHours?: number
  readonly thanks?: Readonly<Partial<Record<Username, string>>>
}

// biome-ignore format: A trade is a line or two.
export const trades: readonly DemoTrade[] = [
  { kind: 'single', state: 'done', by: 'first_year_fern', listings: ['Tomato starts in 4-inch pots'], daysAgo: 30,
    thanks: { first_year_fern: 'Two of the starts have flowers already. Thank you for the spare stakes!', marta_grows: 'Came on time and asked good questions.' } },
  { kind: 'single', state: 'done', by: 'marta_grows', listings: ['Desert King figs, green outside, jam inside'], daysAgo: 21,
    thanks: { marta_grows: 'Jam inside, as promised.' } },
  { kind: 'single', state: 'declined', by: 'marta_grows', listings: ['Wheelbarrow with a new tire and an old everything else'], daysAgo: 19 },
  { kind: 'single', state: 'lapsed', by: 'slow_snail', listings: ['Lacinato kale, by the bunch'], daysAgo: 16 },
  { kind: 'single', state: 'withdrawn', by: 'tomato_tess', listings: ['A bag of leaf mold and advice'], daysAgo: 12 },
  { kind: 'single', state: 'accepted', by: 'kofi_kale', listings: ['Scarlet runner beans, saved last fall'], daysAgo: 3, pickupInHours: 27,
    note: 'For the fence by the hens. I can bring collard seed.' },
  { kind: 'single', state: 'accepted', by: 'marta_grows', listings: ['Strawberries, two pints'], daysAgo: 2 },
  { kind: 'single', state: 'requested', by: 'wren', listings: ['Zucchini, more than enough'], daysAgo: 1.4, note: 'Three green ones, please.' },
  { kind: 'single', state: 'requested', by: 'wren', listings: ['Carrots, pulled this morning'], daysAgo: 0.1, amount: 2, note: 'The crooked ones are fine.' },
  { kind: 'single', state: 'requested', by: 'plot_nine', listings: ['Zucchini, more than enough'], daysAgo: 1.1 },
  { kind: 'single', state: 'requested', by: 'marta_grows', listings: ['Rhubarb crowns, three'], daysAgo: 1, note: 'I have a shady corner waiting for one.' },
  { kind: 'swap', state: 'requested', by: 'lemon_lu', listings: ['Rosemary cuttings, rooted', 'Meyer lemons, small basket'], daysAgo: 0.6 },
  { kind: 'ring', state: 'requested', by: 'wren',
    listings: ['Rosemary cuttings, rooted', 'Hosta, the big blue one, in quarters', 'Love-in-a-mist, a jar of it'], daysAgo: 0.3 },
]
