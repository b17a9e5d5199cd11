import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteListing, type Listing, listingMessages } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { removeCachedListing } from '#web/features/listings/listing-queries.ts'
import { translateMessage } from '#web/i18n/translate-message.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'

type DeleteListingProps = { listing: Listing; onFailure: (message: string) => void }

export function DeleteListing(props: DeleteListingProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger" size="small" onClick={() => setOpen(true)}>
        <Icon name="trash" size={20} />
        {t`delete`}
      </Button>
      {isOpen && <DeleteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteDialog({ listing, onFailure, onClose }: DeleteListingProps & { onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isDeleting, setDeleting] = useState(false)
  // Detects that the browser's history has led away from the screen, which the open dialog does not prevent.
  const isMounted = useIsMounted()

  async function remove() {
    setDeleting(true)
    try {
      await call(client, deleteListing, { params: { id: listing.id } })
    } catch (error) {
      if (!isMounted()) return showRetryToast()
      onClose()
      onFailure(failureText(error))
      return
    }
    toasts.show(t`Listing deleted`)
    // Does not redirect a member who has left the screen in the meantime.
    if (isMounted()) await navigate({ to: '/my-listings', replace: true })
    await removeCachedListing(client, listing.id)
  }

  function showRetryToast() {
    toasts.showAction({
      key: `delete-${listing.id}`,
      text: t`“${{ title: listing.title }}” was not deleted.`,
      label: t`Try again`,
      press: () => void remove(),
      ofMember: true,
    })
  }
  return (
    <ConfirmDialog
      title={t`delete this listing?`}
      action={t`delete`}
      busy={isDeleting && t`Deleting...`}
      onConfirm={remove}
      onClose={onClose}
    >
      {listing.image === null ? (
        <Trans>
          <b dir="auto">{listing.title}</b> goes for good.
        </Trans>
      ) : (
        <Trans>
          <b dir="auto">{listing.title}</b> goes for good, and its photo with it.
        </Trans>
      )}
    </ConfirmDialog>
  )
}

function failureText(error: unknown): string {
  const { status, detail } = error instanceof ApiError ? error : {}
  if (status === 403) return translateMessage(detail ?? listingMessages.notYoursToDelete)
  if (status === 404) return translateMessage(listingMessages.notFound)
  return t`Failed to delete the listing. Please try again later.`
}
