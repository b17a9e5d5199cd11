import { createFileRoute } from '@tanstack/react-router'
import { isMissing } from '#web/api/api-error.ts'
import { queryClient } from '#web/api/query-client.ts'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { SellerLoading, SellerNotLoaded, SellerScreen } from '#web/features/sellers/seller-screen.tsx'
import { type SellerSearch, sellerSearch } from '#web/features/sellers/seller-search.ts'
import { wantsOfQuery } from '#web/features/wants/want-queries.ts'

export const Route = createFileRoute('/_members/seller/$id')({
  validateSearch: sellerSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => loadSeller(Number(params.id), deps),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData ? `@${loaderData.username}` : 'Seller' }] }),
  component: SellerScreen,
  pendingComponent: SellerLoading,
  errorComponent: SellerNotLoaded,
})

/** The member, or nothing when there is none. */
async function loadSeller(id: number, { tab }: SellerSearch) {
  if (!Number.isSafeInteger(id)) return undefined
  if (tab === 'want') void queryClient.prefetchQuery(wantsOfQuery(id))
  else void queryClient.prefetchInfiniteQuery(listingPagesQuery({ user_id: id }))
  try {
    return await queryClient.ensureQueryData(publicMemberQuery(id))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
