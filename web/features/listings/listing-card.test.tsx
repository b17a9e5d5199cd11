import { expect, test } from 'vitest'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { ListingCard } from './listing-card.tsx'

const beans: Listing = {
  id: 5,
  title: 'Beans',
  description: '',
  price: 0,
  is_active: true,
  is_public: true,
  type_id: 3,
  state_id: states.available,
  category_id: null,
  featured_image: null,
  image: null,
  images: [],
  drawing: null,
  owner_id: 2,
  owner_username: 'bob',
  owner_profile_picture: null,
  within_miles: null,
  within_km: null,
  open_to_rings: false,
  quantity: null,
  quantity_left: null,
  unit: null,
  request_count: null,
  folded_count: 0,
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
  expires_at: '2026-06-01T12:00:00.000Z',
  is_expired: false,
}

test.each<[string, Partial<Listing>, boolean]>([
  ['an available', {}, true],
  ['a reserved', { state_id: states.reserved }, true],
  ['a gone', { state_id: states.gone }, false],
  ['an inactive', { is_active: false }, false],
])("on the owner's page %s listing has the border of active listings: %s", async (_, change, hasBorder) => {
  const { screen } = await renderInApp(
    <ListingCard listing={{ ...beans, ...change }} variant="seller" eager />,
  )
  const picture = screen.getByRole('link').element().querySelector('h2 + *')
  if (picture === null) throw new Error('The card has no picture')

  expect(getComputedStyle(picture).borderTopWidth).toBe(hasBorder ? '2px' : '0px')
})
