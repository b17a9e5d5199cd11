import { createFileRoute } from '@tanstack/react-router'
import { loadListing } from '#web/features/listings/listing-queries.ts'
import { ListingLoading, ListingNotLoaded, ListingScreen } from '#web/features/listings/listing-screen.tsx'

export const Route = createFileRoute('/_members/listings/$id')({
  loader: ({ params }) => loadListing(params.id),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.title ?? 'Listing' }] }),
  component: ListingScreen,
  pendingComponent: ListingLoading,
  errorComponent: ListingNotLoaded,
})
