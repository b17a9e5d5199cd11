import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { SellerLoading, SellerNotLoaded, SellerScreen } from '#web/features/sellers/seller-screen.tsx'

export const Route = createFileRoute('/_members/seller/$id')({
  loader: ({ params }) => {
    const id = Number(params.id)
    void queryClient.prefetchInfiniteQuery(listingPagesQuery({ user_id: id }))
    return queryClient.ensureQueryData(publicMemberQuery(id))
  },
  head: ({ loaderData }) => ({ meta: [{ title: loaderData ? `@${loaderData.username}` : 'Seller' }] }),
  component: SellerScreen,
  pendingComponent: SellerLoading,
  errorComponent: SellerNotLoaded,
})
