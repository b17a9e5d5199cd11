import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ignoreNotFound } from '#web/api/api-error.ts'
import { prefetchList } from '#web/api/infinite-list.ts'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { SellerLoading, SellerNotLoaded, SellerScreen } from '#web/features/sellers/seller-screen.tsx'
import { parseSellerSearch, type SellerSearch } from '#web/features/sellers/seller-search.ts'
import { thanksQuery } from '#web/features/trades/trade-queries.ts'
import { wantsOfQuery } from '#web/features/wants/want-queries.ts'
import { Title } from '#web/ui/title.tsx'
import { isId } from '../-is-id.ts'

export const Route = createFileRoute('/_members/seller/$id')({
  validateSearch: parseSellerSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => loadSeller(context.queryClient, Number(params.id), deps),
  staticData: { title: SellerTitle },
  component: SellerScreen,
  pendingComponent: SellerLoading,
  errorComponent: SellerNotLoaded,
})

function SellerTitle() {
  const member = Route.useMatch({ select: ({ loaderData }) => loaderData })
  return <Title name={member === undefined ? t`Seller` : `@${member.username}`} />
}

/** Starts loading the list of the tab. Returns the member, or undefined if there is none. */
async function loadSeller(client: QueryClient, id: number, { tab }: SellerSearch) {
  if (!isId(id)) return undefined
  const [member] = await Promise.all([
    client.ensureQueryData(publicMemberQuery(id)).catch(ignoreNotFound),
    prefetchTab(client, id, tab),
  ])
  return member
}

function prefetchTab(client: QueryClient, id: number, tab: SellerSearch['tab']) {
  if (tab === 'thanks') return prefetchList(client, thanksQuery(id))
  if (tab !== 'want') return prefetchList(client, listingPagesQuery({ user_id: id }))
  void client.prefetchQuery(wantsOfQuery(id))
}
