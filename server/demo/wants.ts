import type { Username } from './members.ts'

/** A member's wants by category. `other` is uncategorized. */
export type WantList = Partial<Record<'produce' | 'seeds' | 'plants' | 'other', readonly string[]>>

/** The wants of members, each list in the order of posting. */
export const wantLists: Partial<Record<Username, WantList>> = {
  marta_grows: {
    produce: ['Meyer lemons', 'Figs, any kind'],
    seeds: ['Hardneck garlic', 'Blue poppy seed', 'Egusi'],
    plants: ['Rhubarb crown', 'Lemon verbena'],
  },
  old_orchard: {
    produce: ['Sour cherries', 'Garlic'],
    plants: ['Quince, rooted cutting', 'Black currant'],
    other: ['Somebody tall, for the top of the ladder'],
  },
  tomato_tess: {
    produce: ['Basil, a lot of it', 'Ugly peaches for sauce', 'Garlic, for the sauce'],
    seeds: ['Paul Robeson tomato', 'Black pepper basil'],
    other: ['Tomato cages'],
  },
  grandpa_lou: { produce: ['Figs like my mother’s', 'Chestnuts', 'Garlic'], plants: ['Sweet basil'] },
  mrs_abara: { seeds: ['Bitterleaf', 'Fluted pumpkin seed'], produce: ['Hot peppers, very hot'] },
  compost_carl: { produce: ['Courgettes'], other: ['Sawdust from untreated wood', 'Wheelbarrow'] },
  lemon_lu: { produce: ['Chiles, dried or fresh', 'Basil'], plants: ['Makrut lime'] },
  kofi_kale: { seeds: ['Sukuma wiki', 'Purple carrot seed'], produce: ['Maple syrup', 'Sour cherries'] },
  beans_and_bees: { seeds: ['Runner beans', 'Borage'], plants: ['Lavender'] },
  wren: { seeds: ['Camas seed', 'Milkweed'], plants: ['Sword fern'] },
  plot_nine: { produce: ['Rhubarb', 'Figs'], seeds: ['Parsnip seed, this year’s'] },
  rosa_and_roots: { produce: ['Tomatillos', 'Squash blossoms', 'Limes'], plants: ['Epazote'] },
  juniper: { produce: ['garlic for planting'], plants: ['creeping thyme'] },
  allium_allie: { seeds: ['Egyptian walking onions'], plants: ['Ramps'] },
  shady_side: { plants: ['Hellebore seedlings', 'Bleeding heart'] },
  north_fence: { produce: ['Cabbages, two big ones', 'Beetroot', 'Rhubarb'] },
  figs_on_division: { produce: ['Plum jam', 'garlic'], plants: ['Bay laurel'] },
  hen_and_chicks: { plants: ['Aloe pups'], other: ['Straw bales'] },
  dill_or_no_dill: {
    produce: ['Pickling cucumbers', 'Garlic for pickling'],
    plants: ['Anything that is not dill'],
  },
  the_squash_vine: { seeds: ['Candy Roaster squash'], plants: ['Hop rhizome'] },
  slow_snail: { plants: ['Ginger root with eyes'] },
  moss_and_may: { plants: ['Dahlia tubers'] },
  pickle_jar: { seeds: ['Molokhia seed'], produce: ['Dill heads', 'Pickling cucumbers', 'Sour cherries'] },
  first_year_fern: {
    produce: ['Basil'],
    plants: ['Curry leaf cutting', 'Rhubarb crown'],
    other: ['Advice about aphids'],
  },
}
