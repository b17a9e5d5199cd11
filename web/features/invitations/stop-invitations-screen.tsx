import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { stopInvitations } from '#contract/invitations.ts'
import { call } from '#web/api/client.ts'
import { MailedLink } from '#web/features/auth/mailed-link.tsx'
import { ButtonLink } from '#web/ui/button.tsx'

/** Stops invitations to the address of a mail. */
export function StopInvitationsScreen() {
  const client = useQueryClient()
  const { token } = useSearch({ from: '/stop-invitations' })
  return (
    <MailedLink
      title={t`no more invitations`}
      token={token}
      question={t`We then never send an invitation to your address again, whoever asks us to.`}
      action={t`Stop invitations`}
      send={(mailed) => call(client, stopInvitations, { query: { token: mailed } })}
      after={() => (
        <ButtonLink to="/" wide>
          {t`Go to Home`}
        </ButtonLink>
      )}
    />
  )
}
