import { createFileRoute, redirect } from '@tanstack/react-router'
import { isMissing } from '#web/api/api-error.ts'
import { loadListing } from '#web/features/listings/listing-queries.ts'
import { ListingLoading, ListingNotLoaded, ListingScreen } from '#web/features/listings/listing-screen.tsx'

export const Route = createFileRoute('/_members/listings/$id')({
  loader: async ({ params }) => {
    try {
      return await loadListing(params.id)
    } catch (error) {
      throw isMissing(error) ? redirect({ to: '/not-found', replace: true }) : error
    }
  },
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.title ?? 'Listing' }] }),
  component: ListingScreen,
  pendingComponent: ListingLoading,
  errorComponent: ListingNotLoaded,
})
