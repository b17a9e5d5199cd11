import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { isNotFound } from '#web/api/api-error.ts'
import { loadListing } from '#web/features/listings/listing-queries.ts'

/** Loads the listing of a screen. Redirects to Page Not Found if it does not exist or the member may not see it. */
export async function loadListingOrRedirect(
  client: QueryClient,
  id: string,
  known?: Listing,
): Promise<Listing> {
  try {
    return await loadListing(client, id, known)
  } catch (error) {
    throw isNotFound(error) ? redirect({ to: '/not-found', replace: true }) : error
  }
}
