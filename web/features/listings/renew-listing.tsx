import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Listing, renewListing } from '#contract/listings.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { invalidateMatches } from '#web/features/matches/match-queries.ts'
import { invalidateNotifications } from '#web/features/notifications/notification-queries.ts'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { dayOf } from './end-time.ts'
import { updateCachedListing } from './listing-queries.ts'
import css from './renew-listing.module.css'

/** A button that renews the member's own listing for the same number of days. */
export function RenewListing({ listing }: { listing: Listing }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const renewal = useMutation({
    mutationFn: () => call(client, renewListing, { params: { id: listing.id } }),
    onSuccess: async (renewed) => {
      toasts.show(`Listed until ${dayOf(renewed.expires_at)}`)
      await updateCachedListing(client, renewed)
      void invalidateNotifications(client)
      void invalidateMatches(client)
    },
  })
  return (
    <div className={css.renew}>
      <Button
        variant="secondary"
        size="small"
        aria-label={`List again: ${listing.title}`}
        busy={renewal.isPending && 'Listing...'}
        onClick={() => renewal.mutate()}
      >
        <Icon name="retry" size={20} />
        List again
      </Button>
      <p className={text.failure} role="status">
        {renewal.isError && errorText(renewal.error, 'Not listed again. Please try again.')}
      </p>
    </div>
  )
}
