import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import {
  ListingLoading,
  ListingNotLoaded,
  ListingScreen,
} from '#web/features/listing-detail/listing-screen.tsx'
import { loadListingOrRedirect } from '#web/features/listing-detail/load-listing-or-redirect.ts'
import { listingTradesQuery } from '#web/features/trades/trade-queries.ts'
import { Title } from '#web/ui/title.tsx'
import { isId } from '../-is-id.ts'

export const Route = createFileRoute('/_members/listings/$id')({
  loader: ({ context, params }) => {
    const id = Number(params.id)
    if (isId(id)) void context.queryClient.prefetchInfiniteQuery(listingTradesQuery(id))
    return loadListingOrRedirect(context.queryClient, params.id)
  },
  staticData: { title: ListingTitle },
  component: ListingScreen,
  pendingComponent: ListingLoading,
  errorComponent: ListingNotLoaded,
})

function ListingTitle() {
  return <Title name={Route.useMatch({ select: ({ loaderData }) => loaderData?.title ?? t`Listing` })} />
}
