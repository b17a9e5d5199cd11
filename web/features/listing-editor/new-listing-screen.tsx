import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { PostTabs } from '#web/features/page-head/post-tabs.tsx'
import { Page } from '#web/ui/page.tsx'
import { NewListingForm } from './new-listing-form.tsx'

const route = getRouteApi('/_members/listings/new')

export function NewListingScreen() {
  const { q, category } = route.useSearch()
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`new listing`} back={<BackLink to="/my-listings" />} />
          <PostTabs />
        </>
      }
    >
      <NewListingForm title={q} category={category} />
    </Page>
  )
}
