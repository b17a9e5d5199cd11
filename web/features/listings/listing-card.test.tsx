import { expect, test } from 'vitest'
import { states } from '#contract/constants.ts'
import type { Listing } from '#contract/listings.ts'
import { renderInApp } from '#web/testing/render-in-app.tsx'
import { quinces } from '#web/testing/stored.ts'
import { ListingCard } from './listing-card.tsx'

const beans: Listing = { ...quinces, title: 'Beans', owner_id: 2, owner_username: 'bob', request_count: null }

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
