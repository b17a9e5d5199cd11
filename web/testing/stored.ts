import type { Profile } from '#contract/auth.ts'
import { states, types } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import type { Message } from '#contract/messages.ts'

// Gives component tests the responses of the API. Ann is the member who is logged in.

const at = '2026-05-01T12:00:00.000Z'

export const ann: Profile = {
  id: 1,
  username: 'ann',
  first_name: 'Ann',
  last_name: 'Gardener',
  email: 'ann@example.org',
  email_confirmed: true,
  email_refused: false,
  city: null,
  state: null,
  zip_code: null,
  address: null,
  apt: null,
  profile_picture: null,
  friend_count: 0,
  location_known: false,
  language: null,
  desk_role: null,
}

/** A giveaway of ann. */
export const quinces: Listing = {
  id: 5,
  title: 'Quinces',
  description: '',
  price: 0,
  is_active: true,
  is_public: true,
  type_id: types.giveaway,
  state_id: states.available,
  category_id: null,
  featured_image: null,
  image: null,
  images: [],
  drawing: null,
  owner_id: ann.id,
  owner_username: ann.username,
  owner_profile_picture: null,
  within_miles: null,
  within_km: null,
  open_to_rings: false,
  quantity: null,
  quantity_left: null,
  unit: null,
  ready_from: null,
  request_count: 0,
  folded_count: 0,
  created_at: at,
  updated_at: at,
  expires_at: '2026-06-01T12:00:00.000Z',
  is_expired: false,
  is_held: false,
  is_hidden: false,
}

/** Returns the stored message of a call of ann. */
export function storedMessage(body: {
  receiver_id: unknown
  content: string
  client_id?: string | undefined
}): Message {
  return {
    id: 7,
    sender_id: ann.id,
    receiver_id: Number(body.receiver_id),
    content: body.content,
    created_at: at,
    is_read: false,
    client_id: body.client_id ?? '',
    listing: null,
    trade_id: null,
    images: [],
  }
}
