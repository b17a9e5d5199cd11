import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import noListings from '#web/art/empty/no-listings.svg'
import { WantList } from '#web/features/wants/want-groups.tsx'
import { wantsOfQuery } from '#web/features/wants/want-queries.ts'
import { WantRow } from '#web/features/wants/want-row.tsx'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { usePendingSearch } from '#web/ui/use-pending-location.ts'
import { parseSellerSearch, type SellerSearch } from './seller-search.ts'

export function SellerTabs({ id, ...shown }: { id: number } & SellerSearch) {
  const { tab } = usePendingSearch(`/seller/${id}`, parseSellerSearch, shown)
  const link = { to: '/seller/$id', params: { id: String(id) }, replace: true, resetScroll: false } as const
  return (
    <TabLinks
      label={t`Lists`}
      items={[
        { label: t`Have`, ...link, search: {}, current: tab === undefined },
        { label: t`Want`, ...link, search: { tab: 'want' }, current: tab === 'want' },
        { label: t`Thanks`, ...link, search: { tab: 'thanks' }, current: tab === 'thanks' },
      ]}
    />
  )
}

/** Shows a member's wants by category. */
export function SellerWants({ id, failure }: { id: number; failure: string }) {
  const wants = useQuery(wantsOfQuery(id))
  useAnnouncedCount(wants.data?.length, t`wants`)
  if (wants.isPending) return <RowsSkeleton />
  if (wants.data === undefined) return <ErrorState text={failure} onRetry={() => wants.refetch()} />
  if (wants.data.length === 0) return <Empty art={noListings} text={t`No items in wishlist.`} />
  return <WantList wants={wants.data} row={(want) => <WantRow key={want.id} want={want} />} />
}
