import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { invitationMessages, stopInvitations } from '#contract/invitations.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/page.tsx'

/** Stops invitations after a press only, so that a mail program that prefetches links stops nothing. */
export function StopInvitationsScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/stop-invitations' })
  const stop = useMutation({
    mutationFn: (token: string) => call(client, stopInvitations, { query: { token } }),
  })
  const failure = token === undefined ? invitationMessages.stopInvalid : stop.error && errorText(stop.error)
  return (
    <AuthLayout>
      <PageHead title="no more invitations" />
      <div className={classNames(layout.stack, layout.gap6, layout.above5)}>
        {failure !== null ? (
          <Banner kind="error">{failure}</Banner>
        ) : stop.isSuccess ? (
          <Banner kind="success">{stop.data.message}</Banner>
        ) : (
          <p>We then never send an invitation to your address again, whoever asks us to.</p>
        )}
        {token !== undefined && !stop.isSuccess && (
          <Button wide busy={stop.isPending && 'Sending...'} onClick={() => stop.mutate(token)}>
            Stop invitations
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
