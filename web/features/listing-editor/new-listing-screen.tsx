import { t } from '@lingui/core/macro'
import { BackLink } from '#web/features/page-head/back-link.tsx'
import { MemberHead } from '#web/features/page-head/member-head.tsx'
import { PostTabs } from '#web/features/page-head/post-tabs.tsx'
import { Page } from '#web/ui/page.tsx'
import { NewListingForm } from './new-listing-form.tsx'

export function NewListingScreen() {
  return (
    <Page
      rail={
        <>
          <MemberHead title={t`new listing`} back={<BackLink to="/my-listings" />} />
          <PostTabs />
        </>
      }
    >
      <NewListingForm />
    </Page>
  )
}
