import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { invitationMessages, stopInvitations } from '#contract/invitations.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import layout from '#web/styles/layout.module.css'
import { AuthLayout } from '#web/ui/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/page.tsx'

type Outcome = { readonly kind: 'success' | 'error'; readonly text: string }

/** Stops invitations after a press only, so that a mail program that prefetches links stops nothing. */
export function StopInvitationsScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/stop-invitations' })
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | undefined>(
    token === undefined ? { kind: 'error', text: invitationMessages.stopInvalid } : undefined,
  )

  async function stop() {
    setBusy(true)
    try {
      const { message } = await call(client, stopInvitations, { query: { token: token ?? '' } })
      setOutcome({ kind: 'success', text: message })
    } catch (failure) {
      setOutcome({ kind: 'error', text: errorText(failure) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <AuthLayout>
      <PageHead title="no more invitations" />
      <div className={classNames(layout.stack, layout.gap6, layout.above5)}>
        {outcome === undefined ? (
          <p>We then never send an invitation to your address again, whoever asks us to.</p>
        ) : (
          <Banner kind={outcome.kind}>{outcome.text}</Banner>
        )}
        {token !== undefined && outcome?.kind !== 'success' && (
          <Button wide busy={busy && 'Sending...'} onClick={stop}>
            Stop invitations
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
