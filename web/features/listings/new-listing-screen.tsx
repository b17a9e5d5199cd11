import { BackLink } from '#web/features/shell/back-link.tsx'
import { Page, PageHead, Spread } from '#web/ui/page.tsx'
import { NewListingForm } from './new-listing-form.tsx'
import { PostTabs } from './post-tabs.tsx'

export function NewListingScreen() {
  return (
    <Page>
      <Spread
        rail={
          <>
            <PageHead title="new listing" back={<BackLink to="/my-listings" />} />
            <PostTabs />
          </>
        }
        main={<NewListingForm />}
      />
    </Page>
  )
}
