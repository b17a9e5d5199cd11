import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceFor } from '#web/api/api-error.ts'
import { renewLink } from '#web/features/invitations/invitation-link.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import css from './renew-link.module.css'

/** Says what the member's link does, and makes a new one after a second press. */
export function RenewLink() {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const renewing = useMutation(
    { mutationFn: () => renewLink(client), onSuccess: () => setAsking(false) },
    client,
  )
  return (
    <div className={css.renew}>
      {renewing.isError && <Banner kind="error">{sentenceFor(renewing.error, 'An error occurred')}</Banner>}
      <p aria-live="polite">
        {isAsking
          ? 'The link and the code that you gave away will invite nobody any more.'
          : renewing.isSuccess
            ? 'This is your new link. The old one has ended.'
            : 'Whoever signs up with it finds your friend request.'}
      </p>
      {isAsking ? (
        <div className={css.choice}>
          <Button variant="quiet" size="small" onClick={() => setAsking(false)}>
            keep the link
          </Button>
          <Button
            variant="secondary"
            size="small"
            busy={renewing.isPending && 'Loading...'}
            onClick={() => renewing.mutate()}
          >
            end the old link
          </Button>
        </div>
      ) : (
        <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
          make a new link
        </Button>
      )}
    </div>
  )
}
