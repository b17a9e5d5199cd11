import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { isMissing } from '#web/api/api-error.ts'
import { loadListing } from './listing-queries.ts'

/** The listing of a screen; a missing one leads to the screen that says so. */
export async function openListing(client: QueryClient, id: string, known?: Listing): Promise<Listing> {
  try {
    return await loadListing(client, id, known)
  } catch (error) {
    throw isMissing(error) ? redirect({ to: '/not-found', replace: true }) : error
  }
}
