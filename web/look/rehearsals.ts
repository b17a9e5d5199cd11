import { callsAt } from '#contract/address.ts'
import { categories, states, types } from '#contract/constants.ts'
import { firstCalls } from '#contract/first-calls.ts'
import type { Listing } from '#contract/listings.ts'
import type { PublicMember } from '#contract/members.ts'
import type { Message } from '#contract/messages.ts'

const now = new Date(0).toISOString()
const nobody = 1
const somebody = 2

const listing: Listing = {
  id: 1,
  title: 'Rhubarb',
  description: 'By the gate.',
  price: 0,
  is_active: true,
  is_public: true,
  type_id: types.giveaway,
  state_id: states.available,
  category_id: categories.produce,
  featured_image: null,
  image: null,
  owner_id: somebody,
  owner_username: 'somebody',
  owner_profile_picture: null,
  within_miles: null,
  created_at: now,
  updated_at: now,
}
const seller: PublicMember = {
  id: somebody,
  username: 'somebody',
  profile_picture: null,
  city: null,
  state: null,
  zip_code: null,
  friend_count: 0,
}
const message: Message = {
  id: 1,
  sender_id: somebody,
  receiver_id: nobody,
  content: 'Is it ripe?',
  created_at: now,
  is_read: true,
  client_id: '',
}

/** What each screen asks, but for the frame around it: `contract/first-calls.ts` says in which order. */
const screens = [
  ['/listings', [listing]],
  ['/listings/1', listing],
  [`/messages/${somebody}`, seller, [message]],
  ['/my-listings', [{ ...listing, owner_id: nobody }], []],
] as const

/** The screens with nobody's data in them: the first look of each takes a tenth of a second or more, which no page waits. */
export const rehearsals = screens.map(([path, ...bodies]) => ({
  path,
  member: nobody,
  brought: callsAt(firstCalls, path).map((address, place) => ({
    address,
    link: null,
    body: bodies[place] ?? 0,
  })),
}))
