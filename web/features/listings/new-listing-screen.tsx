import { Page, PageHead, Spread } from '#web/ui/page.tsx'
import { BackLink } from './back-link.tsx'
import { NewListingForm } from './new-listing-form.tsx'

export function NewListingScreen() {
  return (
    <Page>
      <Spread
        rail={<PageHead title="new listing" back={<BackLink to="/my-listings" />} />}
        main={<NewListingForm />}
      />
    </Page>
  )
}
