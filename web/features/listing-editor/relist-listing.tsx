import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type Listing, relistListing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useAction } from '#web/api/use-action.ts'
import { updateCachedListing } from '#web/features/listings/listing-queries.ts'
import { invalidateMatches } from '#web/features/matches/match-queries.ts'
import { invalidateNotifications } from '#web/features/page-head/unread-notifications.ts'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Stack } from '#web/ui/layout.tsx'
import { dayOf } from '#web/ui/time.tsx'
import { useToasts } from '#web/ui/toasts.ts'

/** A button that relists the member's own listing for the same number of days. */
export function RelistListing({ listing }: { listing: Listing }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const relisting = useAction(() => call(client, relistListing, { params: { id: listing.id } }), {
    fallback: t`Not listed again. Please try again.`,
    onSuccess: async (relisted) => {
      toasts.show(t`Listed until ${{ day: dayOf(relisted.expires_at) }}`)
      await updateCachedListing(client, relisted)
      void invalidateNotifications(client)
      void invalidateMatches(client)
    },
  })
  return (
    <Stack gap="1" align="start">
      <Button
        variant="secondary"
        size="small"
        aria-label={t`List again: ${{ title: listing.title }}`}
        busy={relisting.isPending && t`Listing...`}
        onClick={relisting.press}
      >
        <Icon name="retry" size={20} />
        {t`List again`}
      </Button>
      <ActionFailure>{relisting.failure}</ActionFailure>
    </Stack>
  )
}
