import type { Username } from './members.ts'

/** A message of the demo data, its age in hours, and the names of its files in `photos/`. */
type DemoMessage = readonly [by: Username, hoursAgo: number, content: string, ...photos: string[]]

/** A conversation of the visitor. The visitor has not read the last `unread` messages. */
export interface Conversation {
  readonly partner: Username
  readonly unread: number
  readonly messages: readonly DemoMessage[]
}

export const conversations: readonly Conversation[] = [
  {
    partner: 'old_orchard',
    unread: 2,
    messages: [
      ['old_orchard', 61, 'I am splitting my rhubarb this weekend.', 'rhubarb-crowns', 'rhubarb-on-boards'],
      ['marta_grows', 5, 'Is one of the three still free? I have a shady corner waiting for it.'],
      ['old_orchard', 4.8, 'Two are.'],
      ['old_orchard', 4.7, 'Come by after six and pick the one you like.'],
    ],
  },
  {
    partner: 'beans_and_bees',
    unread: 1,
    messages: [
      ['marta_grows', 30, 'Your runner beans climbed over the fence and said hello.'],
      ['beans_and_bees', 7, 'The runner beans are dry, do you still want a handful?'],
    ],
  },
  {
    partner: 'tomato_tess',
    unread: 0,
    messages: [
      ['tomato_tess', 52, 'Trade you a bag of Cherokees for basil?'],
      ['marta_grows', 51, 'Gladly. Saturday at the market table?'],
      ['tomato_tess', 50.5, 'See you Saturday.\nI will bring the good bag.'],
    ],
  },
  {
    partner: 'mrs_abara',
    unread: 1,
    messages: [
      ['marta_grows', 100, 'The lemon verbena cuttings are in water on your porch.'],
      ['mrs_abara', 74, 'Thank you, the cuttings have taken!'],
    ],
  },
  {
    partner: 'kofi_kale',
    unread: 0,
    messages: [
      ['kofi_kale', 130, 'How many eggs do you want this week?'],
      ['marta_grows', 129, 'Half a dozen is plenty, thanks.'],
    ],
  },
  {
    partner: 'lemon_lu',
    unread: 0,
    messages: [['lemon_lu', 260, 'Would you swap lemons for a jar of the chili paste?']],
  },
]
