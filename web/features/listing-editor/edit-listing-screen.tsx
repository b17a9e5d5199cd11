import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useLocation, useRouter } from '@tanstack/react-router'
import { isNotFound } from '#web/api/api-error.ts'
import { listingQuery } from '#web/features/listings/listing-queries.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { Page } from '#web/ui/page.tsx'
import { EditListingForm } from './edit-listing-form.tsx'

const route = getRouteApi('/_members/listings/$id_/edit')

export function EditListingScreen() {
  const { id } = route.useParams()
  const { data: listing, error } = useSuspenseQuery(listingQuery(id))
  const leave = useLeave(id)
  if (isNotFound(error)) return <Navigate to="/not-found" replace />
  return (
    <Page rail={<MemberHead title={t`edit listing`} back={<BackLink to="/my-listings" />} />}>
      <EditListingForm key={listing.id} listing={listing} onLeave={leave} />
    </Page>
  )
}

/** Returns a function that leads to the listing: back in the history if the member came from there, so that it has one entry. */
function useLeave(id: string) {
  const router = useRouter()
  const cameFromListing = useLocation({ select: ({ state }) => state.listing !== undefined })
  return () => {
    if (cameFromListing) router.history.back()
    else void router.navigate({ to: '/listings/$id', params: { id }, replace: true })
  }
}
