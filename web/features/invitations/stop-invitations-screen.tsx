import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { invitationMessages, stopInvitations } from '#contract/invitations.ts'
import { sentenceFor } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { AuthLayout } from '#web/features/shell/auth-layout.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHead } from '#web/ui/page.tsx'
import css from './invite-screen.module.css'

type Outcome = { readonly kind: 'success' | 'error'; readonly sentence: string }

/** It takes a press, so that a mail program that looks at links ahead stops nothing. */
export function StopInvitationsScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/stop-invitations' })
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | undefined>(
    token === undefined ? { kind: 'error', sentence: invitationMessages.stopInvalid } : undefined,
  )

  async function stop() {
    setBusy(true)
    try {
      const { message } = await call(client, stopInvitations, { query: { token: token ?? '' } })
      setOutcome({ kind: 'success', sentence: message })
    } catch (failure) {
      setOutcome({ kind: 'error', sentence: sentenceFor(failure, 'An error occurred') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <AuthLayout>
      <PageHead title="no more invitations" />
      <div className={css.ways}>
        {outcome === undefined ? (
          <p>We then never send an invitation to your address again, whoever asks us to.</p>
        ) : (
          <Banner kind={outcome.kind}>{outcome.sentence}</Banner>
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
