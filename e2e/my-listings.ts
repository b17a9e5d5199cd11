import type { Locator, Page } from '@playwright/test'
import { listListings } from '#contract/listing-queries.ts'
import type { Listing } from '#contract/listings.ts'
import type { Account } from './fixtures.ts'

/** Returns the row of a listing on /my-listings. */
export function rowOf(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ hasText: title })
}

/** Returns a member's listings from the API. */
export function listingsOf({ actor }: Account): Promise<readonly Listing[]> {
  return actor.call(listListings, { query: { mine: 'true' } })
}
