import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { categories } from '#contract/constants.ts'
import { PostTabs } from '#web/features/listings/post-tabs.tsx'
import { BackLink } from '#web/features/shell/back-link.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page, PageHead, Spread } from '#web/ui/page.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { wantPromise } from './my-wants.tsx'
import css from './post-want-screen.module.css'
import { myWantsQuery } from './want-queries.ts'
import type { Wish } from './wish-drafts.ts'
import { WishForm } from './wish-form.tsx'

const route = getRouteApi('/_members/post-want')

export function PostWantScreen() {
  const { q, category } = route.useSearch()
  const wish = q === undefined ? undefined : { title: q, category_id: category ? categories[category] : null }
  return (
    <Page>
      <Spread
        rail={
          <>
            <PageHead title="wish list" back={<BackLink to="/my-listings" />} />
            <PostTabs />
            <p className={css.promise}>{wantPromise}</p>
          </>
        }
        main={<Wishes wish={wish} />}
      />
    </Page>
  )
}

/** A failed load leaves the list empty: there is room to write, and what is saved comes in later. */
function Wishes({ wish }: { wish: Wish | undefined }) {
  const wants = useQuery(myWantsQuery)
  if (wants.isPending) return <RowsSkeleton count={6} />
  return (
    <>
      {wants.data === undefined && (
        <div className={css.failed}>
          <ErrorState text="Your saved items are missing here." onRetry={() => wants.refetch()} />
        </div>
      )}
      <WishForm wants={wants.data} wish={wish} />
    </>
  )
}
