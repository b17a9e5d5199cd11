import { createFileRoute } from '@tanstack/react-router'
import { ListingLoading, ListingNotLoaded, ListingScreen } from '#web/features/listings/listing-screen.tsx'
import { openListing } from '#web/features/listings/open-listing.ts'

export const Route = createFileRoute('/_members/listings/$id')({
  loader: ({ context, params }) => openListing(context.queryClient, params.id),
  head: ({ loaderData }) => ({ meta: [{ title: `${loaderData?.title ?? 'Listing'} · Rhubarb` }] }),
  component: ListingScreen,
  pendingComponent: ListingLoading,
  errorComponent: ListingNotLoaded,
})
