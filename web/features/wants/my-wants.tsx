import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { limits } from '#contract/constants.ts'
import type { Want } from '#contract/wants.ts'
import noListings from '#web/art/empty/no-listings.svg'
import text from '#web/styles/text.module.css'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import css from './my-wants.module.css'
import { WantList } from './want-groups.tsx'
import { myWantsQuery } from './want-queries.ts'
import { OwnWantRow } from './want-row.tsx'

/** Shows the member's own wants. A failed load shows an error with “Try again”. */
export function MyWants() {
  const wants = useQuery(myWantsQuery)
  useAnnouncedCount(wants.data?.length, t`wants`)
  if (wants.isPending) return <RowsSkeleton count={6} />
  if (wants.data === undefined || wants.data.length === 0) {
    return (
      <Empty art={noListings} text={t`No items in wishlist.`}>
        {wants.data === undefined ? (
          <Button variant="secondary" onClick={() => wants.refetch()}>
            <Icon name="retry" size={18} />
            {t`Try again`}
          </Button>
        ) : (
          <ButtonLink to="/post-want">
            <Icon name="plus" />
            {t`Add wanted items`}
          </ButtonLink>
        )}
      </Empty>
    )
  }
  return (
    <>
      <AllMatchesLink wants={wants.data} />
      <WantList
        wants={wants.data}
        countOf={({ length }) => t`${{ count: length }} of ${{ max: limits.want.perCategory }}`}
        row={(want) => <OwnWantRow key={want.id} want={want} />}
      />
    </>
  )
}

/** Links to the matches with their number. A listing that matches two wants counts twice. */
function AllMatchesLink({ wants }: { wants: readonly Want[] }) {
  const counts = wants.map(({ listing_count }) => listing_count ?? 0)
  const matches = counts.reduce((sum, count) => sum + count, 0)
  if (matches === 0) return null
  const hasMore = counts.some((count) => count >= limits.page.max)
  return (
    <p className={css.all}>
      <Link className={classNames(text.link, text.standalone)} to="/matches">
        {hasMore
          ? plural(matches, { one: '#+ match with your wish list', other: '#+ matches with your wish list' })
          : plural(matches, { one: '# match with your wish list', other: '# matches with your wish list' })}
      </Link>
    </p>
  )
}
