/** A demo member. All live in Portland, Oregon. `portrait` is the name of a file in `portraits/`. */
export interface DemoMember {
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly zip_code: string
  readonly portrait?: string
}

export const town = { city: 'Portland', state: 'OR' } as const

/** The password of all demo members. */
export const demoPassword = 'plant-more-rhubarb'

/** In the order of registration. */
// biome-ignore format: a member is one line.
export const members = [
  { username: 'old_orchard', first_name: 'Henry', last_name: 'Alder', email: 'henry.alder@example.com', zip_code: '97214', portrait: 'henry' },
  { username: 'marta_grows', first_name: 'Marta', last_name: 'Oduya', email: 'marta.oduya@example.com', zip_code: '97214', portrait: 'marta' },
  { username: 'tomato_tess', first_name: 'Tess', last_name: 'Romero', email: 'tess.romero@example.com', zip_code: '97215', portrait: 'tess' },
  { username: 'grandpa_lou', first_name: 'Lou', last_name: 'Ferrante', email: 'lou.ferrante@example.com', zip_code: '97206' },
  { username: 'mrs_abara', first_name: 'Ngozi', last_name: 'Abara', email: 'ngozi.abara@example.com', zip_code: '97215', portrait: 'abara' },
  { username: 'compost_carl', first_name: 'Carl', last_name: 'Novak', email: 'carl.novak@example.com', zip_code: '97202' },
  { username: 'lemon_lu', first_name: 'Lu', last_name: 'Chen', email: 'lu.chen@example.com', zip_code: '97214', portrait: 'lu' },
  { username: 'kofi_kale', first_name: 'Kofi', last_name: 'Mensah', email: 'kofi.mensah@example.com', zip_code: '97202', portrait: 'kofi' },
  { username: 'beans_and_bees', first_name: 'Bea', last_name: 'Lindqvist', email: 'bea.lindqvist@example.com', zip_code: '97206' },
  { username: 'wren', first_name: 'Wren', last_name: 'Castellano', email: 'wren.castellano@example.com', zip_code: '97211' },
  { username: 'plot_nine', first_name: 'Dee', last_name: 'Whitfield', email: 'dee.whitfield@example.com', zip_code: '97214' },
  { username: 'rosa_and_roots', first_name: 'Rosa', last_name: 'Delgado', email: 'rosa.delgado@example.com', zip_code: '97266' },
  { username: 'juniper', first_name: 'Juniper', last_name: 'Hayes', email: 'juniper.hayes@example.com', zip_code: '97206' },
  { username: 'allium_allie', first_name: 'Allie', last_name: 'Brooks', email: 'allie.brooks@example.com', zip_code: '97213' },
  { username: 'shady_side', first_name: 'Miriam', last_name: 'Katz', email: 'miriam.katz@example.com', zip_code: '97215' },
  { username: 'north_fence', first_name: 'Gus', last_name: 'Petrov', email: 'gus.petrov@example.com', zip_code: '97217' },
  { username: 'figs_on_division', first_name: 'Paola', last_name: 'Ricci', email: 'paola.ricci@example.com', zip_code: '97202' },
  { username: 'hen_and_chicks', first_name: 'Hana', last_name: 'Sato', email: 'hana.sato@example.com', zip_code: '97206' },
  { username: 'dill_or_no_dill', first_name: 'Dylan', last_name: 'Park', email: 'dylan.park@example.com', zip_code: '97213' },
  { username: 'the_squash_vine', first_name: 'Owen', last_name: 'Tucker', email: 'owen.tucker@example.com', zip_code: '97211' },
  { username: 'berry_late', first_name: 'June', last_name: 'Abbott', email: 'june.abbott@example.com', zip_code: '97212' },
  { username: 'slow_snail', first_name: 'Tomás', last_name: 'Rivera', email: 'tomas.rivera@example.com', zip_code: '97232' },
  { username: 'moss_and_may', first_name: 'May', last_name: 'Thornton', email: 'may.thornton@example.com', zip_code: '97212' },
  { username: 'pickle_jar', first_name: 'Nadia', last_name: 'Haddad', email: 'nadia.haddad@example.com', zip_code: '97232' },
  { username: 'first_year_fern', first_name: 'Priya', last_name: 'Nair', email: 'priya.nair@example.com', zip_code: '97232' },
] as const satisfies readonly DemoMember[]

export type Username = (typeof members)[number]['username']

/** The member to log in as, with many friends and listings of every kind. */
export const visitor = members[1]

/** The friendships, each pair once. */
// biome-ignore format: a member's friends fill lines.
export const friends: Partial<Record<Username, readonly Username[]>> = {
  marta_grows: ['old_orchard', 'tomato_tess', 'beans_and_bees', 'mrs_abara', 'kofi_kale', 'juniper', 'lemon_lu', 'compost_carl',
    'plot_nine', 'wren'],
  old_orchard: ['tomato_tess', 'grandpa_lou', 'mrs_abara', 'compost_carl', 'lemon_lu', 'kofi_kale', 'wren', 'beans_and_bees',
    'plot_nine', 'shady_side', 'north_fence', 'figs_on_division', 'berry_late', 'allium_allie', 'moss_and_may', 'the_squash_vine',
    'rosa_and_roots'],
  tomato_tess: ['grandpa_lou', 'mrs_abara', 'rosa_and_roots', 'plot_nine', 'shady_side', 'pickle_jar'],
  grandpa_lou: ['rosa_and_roots', 'juniper', 'beans_and_bees', 'hen_and_chicks', 'figs_on_division'],
  mrs_abara: ['shady_side', 'kofi_kale', 'moss_and_may'],
  compost_carl: ['kofi_kale', 'figs_on_division', 'slow_snail', 'plot_nine', 'hen_and_chicks', 'juniper'],
  lemon_lu: ['plot_nine', 'pickle_jar', 'first_year_fern'],
  beans_and_bees: ['juniper', 'hen_and_chicks', 'wren', 'the_squash_vine'],
  wren: ['the_squash_vine', 'moss_and_may', 'berry_late', 'north_fence'],
  allium_allie: ['dill_or_no_dill', 'pickle_jar', 'berry_late'],
  dill_or_no_dill: ['pickle_jar', 'slow_snail'],
  slow_snail: ['first_year_fern', 'pickle_jar'],
  moss_and_may: ['berry_late', 'shady_side'],
}

/** Pending friend requests. */
export const friendRequests: readonly (readonly [from: Username, to: Username])[] = [
  ['dill_or_no_dill', 'marta_grows'],
  ['first_year_fern', 'marta_grows'],
  ['marta_grows', 'rosa_and_roots'],
  ['hen_and_chicks', 'kofi_kale'],
  ['first_year_fern', 'old_orchard'],
  ['north_fence', 'grandpa_lou'],
]
