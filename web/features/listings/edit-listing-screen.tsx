import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useLocation, useRouter } from '@tanstack/react-router'
import { isMissing } from '#web/api/api-error.ts'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { MemberHead } from '#web/features/shell/member-head.tsx'
import { Page, Spread } from '#web/ui/page.tsx'
import { EditListingForm } from './edit-listing-form.tsx'
import { listingQuery } from './listing-queries.ts'

const route = getRouteApi('/_members/listings/$id_/edit')

export function EditListingScreen() {
  const { id } = route.useParams()
  const { data: listing, error } = useSuspenseQuery(listingQuery(id))
  const leave = useLeave(id)
  if (isMissing(error)) return <Navigate to="/not-found" replace />
  return (
    <Page>
      <Spread
        rail={<MemberHead title="edit listing" back={<BackLink to="/my-listings" />} />}
        main={<EditListingForm key={listing.id} listing={listing} onLeave={leave} />}
      />
    </Page>
  )
}

/** Back to the listing: over the history when one came from there, so that it does not stand there twice. */
function useLeave(id: string) {
  const router = useRouter()
  const cameFromListing = useLocation({ select: ({ state }) => state.listing !== undefined })
  return () => {
    if (cameFromListing) router.history.back()
    else void router.navigate({ to: '/listings/$id', params: { id }, replace: true })
  }
}
