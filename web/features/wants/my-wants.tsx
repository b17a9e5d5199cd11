import { useQuery } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { WantList } from './want-groups.tsx'
import { myWantsQuery } from './want-queries.ts'
import { OwnWantRow } from './want-row.tsx'

/** What the wish list is for, wherever it is shown to its owner. */
export const wantPromise = 'We send a notification when a neighbor lists one of these.'

/** The member's own wish list. A failed load leaves it empty, with a way to try again. */
export function MyWants() {
  const wants = useQuery(myWantsQuery)
  if (wants.isPending) return <RowsSkeleton count={6} />
  if (wants.data === undefined || wants.data.length === 0) {
    return (
      <Empty art={noListings} text="No items in wishlist.">
        {wants.data === undefined ? (
          <Button variant="secondary" onClick={() => wants.refetch()}>
            <Icon name="retry" size={18} />
            Try again
          </Button>
        ) : (
          <ButtonLink to="/post-want">
            <Icon name="plus" />
            Add wanted items
          </ButtonLink>
        )}
      </Empty>
    )
  }
  return (
    <WantList
      wants={wants.data}
      countOf={({ length }) => `${length} of ${limits.want.perCategory}`}
      row={(want) => <OwnWantRow key={want.id} want={want} />}
    />
  )
}
