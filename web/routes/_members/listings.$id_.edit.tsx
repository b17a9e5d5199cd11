import { msg } from '@lingui/core/macro'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { ListingLoading, ListingNotLoaded } from '#web/features/listing-detail/listing-screen.tsx'
import { loadListingOrRedirect } from '#web/features/listing-detail/load-listing-or-redirect.ts'
import { EditListingScreen } from '#web/features/listing-editor/edit-listing-screen.tsx'

export const Route = createFileRoute('/_members/listings/$id_/edit')({
  loader: async ({ context, params, location }) => {
    const listing = await loadListingOrRedirect(context.queryClient, params.id, location.state.listing)
    if (listing.owner_id !== context.login.get()?.user.id)
      throw redirect({ to: '/listings/$id', params, replace: true })
  },
  staticData: { title: msg`Edit listing` },
  component: EditListingScreen,
  pendingComponent: ListingLoading,
  errorComponent: ListingNotLoaded,
})
