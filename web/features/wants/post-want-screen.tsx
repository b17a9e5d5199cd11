import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { categories } from '#contract/constants.ts'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { PostTabs } from '#web/features/page-head/post-tabs.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import css from './post-want-screen.module.css'
import { WantForm } from './want-form.tsx'
import type { SuggestedWant } from './want-items.ts'
import { myWantsQuery } from './want-queries.ts'
import { WantsIntro } from './wants-intro.tsx'

const route = getRouteApi('/_members/post-want')

export function PostWantScreen() {
  const { q, category } = route.useSearch()
  const suggested = useMemo(
    () => (q === undefined ? undefined : { title: q, category_id: category ? categories[category] : null }),
    [q, category],
  )
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`wish list`} back={<BackLink to="/my-listings" />} />
          <PostTabs />
          <WantsIntro />
        </>
      }
    >
      <Wants suggested={suggested} />
    </Page>
  )
}

/** Shows the form also if loading the wants fails. The saved wants are added once they are loaded. */
function Wants({ suggested }: { suggested: SuggestedWant | undefined }) {
  const wants = useQuery(myWantsQuery)
  if (wants.isPending) return <RowsSkeleton count={6} />
  return (
    <>
      {wants.data === undefined && (
        <div className={css.failed}>
          <ErrorState text={t`Your saved items are missing here.`} onRetry={() => wants.refetch()} />
        </div>
      )}
      <WantForm wants={wants.data} suggested={suggested} />
    </>
  )
}
