import { createFileRoute, redirect } from '@tanstack/react-router'
import { EditListingScreen } from '#web/features/listings/edit-listing-screen.tsx'
import { ListingLoading, ListingNotLoaded } from '#web/features/listings/listing-screen.tsx'
import { loadListingOrRedirect } from '#web/features/listings/load-listing-or-redirect.ts'

export const Route = createFileRoute('/_members/listings/$id_/edit')({
  loader: async ({ context, params, location }) => {
    const listing = await loadListingOrRedirect(context.queryClient, params.id, location.state.listing)
    if (listing.owner_id !== context.login.get()?.user.id)
      throw redirect({ to: '/listings/$id', params, replace: true })
  },
  staticData: { title: 'Edit listing' },
  component: EditListingScreen,
  pendingComponent: ListingLoading,
  errorComponent: ListingNotLoaded,
})
