import type { Page } from '@playwright/test'
import { types } from '#contract/constants.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import type { Account, World } from './fixtures.ts'
import { befriend } from './sample-data.ts'

/** The card of a listing. */
export const card = (page: Page, title: string) => page.getByRole('link', { name: title })

/** Posts a listing through the API, by default a public giveaway. */
export function list({ actor }: Account, listing: Partial<Listing> & { title: string }): Promise<Listing> {
  const { title, price, type_id = types.giveaway, category_id, description, is_public } = listing
  return actor.call(createListing, { body: { title, price, type_id, category_id, description, is_public } })
}

/** Leaves later requests for lists of listings pending, so that the page keeps showing a deleted listing. */
export const holdLists = (page: Page) => page.route(/\/api\/listings\?/, () => {})

/** Registers two friends. Only their own listings are in the market of friends. */
export async function newFriends(world: World) {
  const [ann, bob] = [await world.account('ann'), await world.member('bob')]
  await befriend(ann, bob)
  return [ann, bob] as const
}
